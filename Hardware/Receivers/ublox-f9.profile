# u-blox F9: all currents are recalled, none is measured.
[receiver]
name = u-blox F9 (ZED-F9P) and M9 (NEO-M9N)
family = u-blox
models = F9, M9, u-blox 9

[port]
baud = 38400

[current]
supply = 3.0 V | ZED-F9P data sheet
acquisition = 90 mA | unverified
tracking = 68 mA | unverified

[sleep]
ubxBackup = 1.4 mA | unverified
cutSupply = 0.04 mA | unverified

[fix]
hot = 2 s | ZED-F9P data sheet
warm = 25 s | unverified
cold = 25 s | ZED-F9P data sheet

[rate]
shortest = 150 ms | PX4-GPSDrivers: 7 Hz with firmware 1.50
