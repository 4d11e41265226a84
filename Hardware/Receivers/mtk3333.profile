# MediaTek MT3333, as on the Waveshare L76X with a Quectel L76B.
[receiver]
name = MediaTek MT3333 (Quectel L76B, L76-M33, L86)
family = mediatek
models = L76, L86, L96, 3333

[port]
baud = 9600

[current]
supply = 3.3 V | Quectel L76 hardware design
acquisition = 25 mA | unverified
tracking = 18 mA | unverified
cyclic = 12 mA | Telit SE868 manual, GLP 10 mA to 14 mA

[sleep]
mtkStandby = 0.6 mA | Quectel L76 hardware design
cutSupply = 0.007 mA | Quectel L76 hardware design, backup supply

[fix]
hot = 2 s | Waveshare L76X page says 1 s with EASY
warm = 5 s | Waveshare L76X page, with EASY
cold = 35 s | the Waveshare page says 15 s, which needs EASY

[rate]
shortest = 200 ms | unverified
