# u-blox M8 with GPS and GLONASS: figures of the module's rail.
[receiver]
name = u-blox M8 (NEO-M8N, SAM-M8Q, MAX-M8)
family = u-blox
models = M8, u-blox 8

[port]
baud = 9600

[current]
supply = 3.0 V | SAM-M8Q data sheet
acquisition = 32 mA | SAM-M8Q data sheet, table 8
tracking = 29 mA | SAM-M8Q data sheet, table 8
cyclic = 9.5 mA | SAM-M8Q data sheet, table 8

[sleep]
ubxBackup = 0.16 mA | measured on boards, issue meshtastic/firmware 844; the chip alone needs less
cutSupply = 0.015 mA | unverified
ubxStop = 12 mA | unverified

[fix]
hot = 3 s | field measurements; the data sheet says 1 s
warm = 26 s | SAM-M8Q data sheet
cold = 28 s | SAM-M8Q data sheet, 26 s to 30 s by constellation

[rate]
shortest = 200 ms | unverified
