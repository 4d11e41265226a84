extension Subcommand {
  static let decode = Subcommand(
    name: "decode", summary: "Turn a captured byte stream into fixes and satellites",
    operands: "FILE...|-", details: "", options: []
  ) { _ throws(CommandError) in .ok }
}
