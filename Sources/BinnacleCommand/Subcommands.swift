extension Subcommand {
  /// Every subcommand, in the order of the list in `--help`.
  static let all: [Subcommand] = [
    .run,
    .devices,
    .decode,
    .logDump,
    .logCheck,
    .geocode,
    .places,
    .simulate,
  ]
}
