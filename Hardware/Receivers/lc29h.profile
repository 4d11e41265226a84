# Airoha AG3335, as on the Waveshare LC29H.
[receiver]
name = Airoha AG33xx (Quectel LC29H, LC76G, L89)
family = airoha
models = LC29H, LC76G, LC86G, L89, AG33

[port]
baud = 115200

[current]
supply = 3.3 V | Quectel LC29H hardware design
acquisition = 34 mA | unverified
tracking = 32 mA | unverified

[sleep]
airohaBackup = 0.035 mA | public notes, single witness; needs the wake-up pin
airohaOff = 8 mA | unverified

[fix]
hot = 2 s | public notes, 1 s to 2 s
warm = 26 s | unverified
cold = 27 s | public notes, 26 s to 28 s

[rate]
shortest = 100 ms | Quectel LC29H protocol specification, PAIR050
