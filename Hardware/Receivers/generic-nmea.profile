# Any receiver that speaks NMEA 0183 and obeys nothing: a bound from above, as measured nowhere.
[receiver]
name = NMEA 0183 receiver of unknown make
family = unknown

[port]
baud = 9600, 4800, 38400, 115200

[current]
supply = 5.0 V | unverified
acquisition = 50 mA | unverified
tracking = 45 mA | unverified

[fix]
hot = 3 s | unverified
warm = 35 s | unverified
cold = 45 s | unverified
