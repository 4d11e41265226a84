# CASIC AT6558 family.
[receiver]
name = CASIC AT6558 (Quectel L76K, ATGM336H, Air530Z)
family = casic
models = L76K, ATGM336H, AT6558, Air530, URANUS

[port]
baud = 9600, 115200

[current]
supply = 3.0 V | ATGM336H data sheet
acquisition = 23 mA | issue meshtastic/firmware 11701; modules at 30 mA to 40 mA are unverified
tracking = 23 mA | issue meshtastic/firmware 11701

[sleep]
casicStandby = 0.02 mA | issue meshtastic/firmware 11701
cutSupply = 0.01 mA | unverified

[fix]
hot = 5 s | measured at 4 s to 6 s behind PCAS12, issue meshtastic/firmware 11701
warm = 30 s | issue meshtastic/firmware 11701
cold = 47 s | measured at 43 s to 51 s, issue meshtastic/firmware 11701

[rate]
shortest = 200 ms | gpsd: 200, 500 and 1000 ms are documented for the L76K
