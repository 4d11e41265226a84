# u-blox M10: figures of the module's rail, without active antenna, LEDs and USB bridge.
[receiver]
name = u-blox M10 (MAX-M10S, SAM-M10Q, MIA-M10)
family = u-blox
models = M10, F10

[port]
baud = 9600, 38400

[current]
supply = 3.0 V | MAX-M10S data sheet
acquisition = 12 mA | measured on boards, issue meshtastic/firmware 4061
tracking = 10 mA | upper end of 8 mA to 10 mA measured on boards, issue meshtastic/firmware 4061
cyclic = 5 mA | unverified

# The first line is the way that the plan assumes.
[sleep]
ubxBackup = 0.046 mA | MAX-M10S data sheet, V_IO supply; about 0.05 mA measured
cutSupply = 0.03 mA | unverified
ubxStop = 3 mA | unverified

[fix]
hot = 4 s | field measurements of about 5 s; the data sheet says 1 s
warm = 25 s | MAX-M10S data sheet
cold = 27 s | MAX-M10S data sheet, 24 s to 28 s by constellation

[rate]
shortest = 100 ms | unverified
