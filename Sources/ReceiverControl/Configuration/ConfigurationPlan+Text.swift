import GNSS

extension ConfigurationPlan {
  mutating func addMTK(_ wanted: ReceiverSettings, _ link: ReceiverLink) {
    add("sentences", .command(MTK.sentences))
    if let baud = wanted.baud, link.hasBaud, baud != link.baud {
      add("baud \(baud)", .baud(baud, change: MTK.baud(baud), verify: MTK.queryRelease, keep: nil))
    }
    add("static navigation off", .command(MTK.noStaticNavigation))
    add("dynamics", .command(MTK.dynamics(for: wanted.activity)))
    if let constellations = wanted.constellations {
      add(
        "constellations", .command(MTK.constellations(constellations)),
        settling: Self.searchRestart)
    }
    add("interval", .command(MTK.interval(wanted.interval)))
    add("power mode", .command(MTK.lowPower(wanted.isCyclic)))
  }

  mutating func addAiroha(_ wanted: ReceiverSettings) {
    let rates: [(Airoha.Output, Int)] = [
      (.gll, 0), (.vtg, 0), (.gsv, Int(ReceiverSettings.satelliteEpochs)), (.gga, 1), (.gsa, 1),
      (.rmc, 1), (.gst, 1),
    ]
    for (output, epochs) in rates {
      add("sentences", .command(Airoha.sentence(output, every: epochs)))
    }
    add("accuracy", .command(Quectel.accuracyOn))
    add("static navigation off", .command(Airoha.noStaticNavigation))
    add("dynamics", .command(Airoha.dynamics(for: wanted.activity)))
    if let constellations = wanted.constellations {
      add(
        "constellations", .command(Airoha.constellations(constellations)),
        settling: Self.searchRestart)
    }
    add("interval", .command(Airoha.interval(wanted.interval)))
  }

  mutating func addCASIC(_ wanted: ReceiverSettings, _ link: ReceiverLink) {
    add("sentences", .command(CASIC.sentences))
    if let baud = wanted.baud, link.hasBaud, baud != link.baud, let change = CASIC.baud(baud) {
      add("baud \(baud)", .baud(baud, change: change, verify: CASIC.queryFirmware, keep: nil))
    }
    add("accuracy", .command(CASIC.accuracyOn))
    add("dynamics", .command(CASIC.dynamics(for: wanted.activity)))
    if let constellations = wanted.constellations {
      add(
        "constellations", .command(CASIC.constellations(constellations)),
        settling: Self.searchRestart)
    }
    add("interval", .command(CASIC.interval(wanted.interval)))
  }
}
