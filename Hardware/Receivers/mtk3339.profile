# MediaTek MT3339, as on the Adafruit Ultimate GPS with EN wired and a coin cell.
[receiver]
name = MediaTek MT3339 (PA6H, PA1616, Adafruit Ultimate GPS)
family = mediatek
models = PA6H, PA1616, 3339

[port]
baud = 9600

[current]
supply = 3.0 V | PA6H data sheet
acquisition = 25 mA | PA6H data sheet
tracking = 20 mA | PA6H data sheet; 20 mA to 25 mA measured

[sleep]
cutSupply = 0.007 mA | PA6H data sheet, backup supply
mtkStandby = 1 mA | Telit and Fastrax manuals, "about 1 mA"; 2 mA measured on a board

[fix]
hot = 4 s | measured by Adafruit, below 4 s; the data sheet says 1 s
warm = 34 s | PA6H data sheet; below 7 s measured by Adafruit
cold = 35 s | PA6H data sheet

[rate]
shortest = 200 ms | MTK NMEA manual allows 100 ms, at 9600 baud the line does not carry it
