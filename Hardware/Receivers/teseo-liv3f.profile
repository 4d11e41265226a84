# ST Teseo-LIV3F.
[receiver]
name = ST Teseo-LIV3F
family = teseo
models = Teseo

[port]
baud = 9600, 115200

[current]
supply = 3.3 V | unverified
acquisition = 26 mA | public notes, single witness
tracking = 26 mA | public notes, single witness

[sleep]
teseoStandby = 0.02 mA | unverified

[fix]
hot = 1.5 s | unverified
warm = 25 s | unverified
cold = 32 s | unverified
