// swift-tools-version: 6.0
import PackageDescription

// Targets are listed from pure to impure. A pure target imports other pure targets and the standard
// library only: no clock, file, random source or C library. `LinuxIO` is the one that meets the
// kernel; `BinnacleDaemon` joins both sides.

/// Set by the continuous-integration run: a warning then fails the build.
let strict = Context.environment["BINNACLE_STRICT"] != nil

let swiftSettings: [SwiftSetting] =
  strict ? [.unsafeFlags(["-warnings-as-errors"])] : []

func pure(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

/// A program as one is written for an iPhone.
func example(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["CoreLocation"], path: "Sources/Examples/\(name)",
    swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
    swiftSettings: swiftSettings)
}

/// The profiles in Hardware/Receivers, which ReceiverControl holds in its code.
let profiles = [
  "generic-nmea", "l76k", "lc29h", "mtk3333", "mtk3339", "teseo-liv3f", "ublox-f9", "ublox-m10",
  "ublox-m8",
]

let package = Package(
  name: "binnacle",
  products: [
    .executable(name: "binnacle", targets: ["BinnacleCommand"]),
    .library(name: "BinnacleClient", targets: ["BinnacleClient"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .executable(name: "binnacle-bench", targets: ["Benchmarks"]),
  ],
  targets: [
    .systemLibrary(name: "CMath"),
    .systemLibrary(name: "CChecksum"),
    pure("Bytes", ["CChecksum"]),
    pure("GNSS", ["Bytes", "CMath"]),
    pure("GNSSWire", ["Bytes", "GNSS"]),
    .target(
      name: "ReceiverControl", dependencies: ["Bytes", "GNSS", "GNSSWire"],
      exclude: (profiles + ["README"]).map { "Profile/Shipped/\($0).md" },
      resources: profiles.map { .embedInCode("Profile/Shipped/\($0).profile") },
      swiftSettings: swiftSettings),
    pure("Diagnosis", ["Bytes", "GNSS", "ReceiverControl"]),
    pure("LocationServices", ["Bytes", "GNSS"]),
    pure("ControlProtocol", ["Bytes", "GNSS", "LocationServices"]),
    pure("FixLog", ["Bytes", "GNSS"], exclude: ["Format.md"]),
    pure("Gazetteer", ["Bytes", "CMath", "GNSS"], exclude: ["Format.md"]),
    pure("GPSDProtocol", ["Bytes", "GNSS", "GNSSWire"]),
    pure("TrackExport", ["Bytes", "CMath", "GNSS", "GNSSWire", "GPSDProtocol", "FixLog"]),
    pure("ReceiverSimulator", ["Bytes", "CMath", "GNSS", "GNSSWire", "ReceiverControl"]),
    pure("TerminalView", ["Bytes", "CMath", "GNSS"]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    pure("LinuxIO", ["Bytes", "GNSS", "CLinux", "CUdev"]),
    pure("BinnacleClient", ["Bytes", "GNSS", "LocationServices", "ControlProtocol", "LinuxIO"]),
    // Foundation is imported here and in the examples alone.
    pure(
      "CoreLocation",
      [
        "Bytes", "GNSS", "LocationServices", "ControlProtocol", "Gazetteer", "LinuxIO",
        "BinnacleClient",
      ]),
    example("TrackOnce"), example("WalkAlong"), example("GeofenceWatch"),
    pure(
      "BinnacleDaemon",
      [
        "Bytes", "GNSS", "GNSSWire", "ReceiverControl", "LocationServices", "ControlProtocol",
        "FixLog", "GPSDProtocol", "LinuxIO",
      ], exclude: ["ControlProtocol.md"]),
    .executableTarget(
      name: "BinnacleCommand",
      dependencies: [
        "Bytes", "CMath", "GNSS", "GNSSWire", "ReceiverControl", "FixLog", "TrackExport",
        "GPSDProtocol", "Gazetteer", "TerminalView", "ReceiverSimulator", "Diagnosis", "LinuxIO",
        "LocationServices", "ControlProtocol", "BinnacleDaemon", "BinnacleClient",
      ],
      swiftSettings: swiftSettings),

    // Loops begin where a line of the cache does, so that they are as fast wherever they lie.
    .target(name: "CBaselines", cSettings: [.unsafeFlags(["-falign-loops=64"])]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Bytes", "GNSS", "GNSSWire", "GPSDProtocol", "ReceiverSimulator", "LinuxIO", "CBaselines",
      ],
      swiftSettings: swiftSettings),

    tests("Bytes", []),
    tests("GNSS", ["Bytes"]),
    .target(
      name: "AllocationCounter", path: "Tests/AllocationCounter", publicHeadersPath: "include"),
    .target(name: "GPIOFake", path: "Tests/GPIOFake", publicHeadersPath: "include"),
    tests("GNSSWire", ["Bytes", "GNSS", "LinuxIO", "AllocationCounter"]),
    tests("ReceiverControl", ["Bytes", "GNSS", "GNSSWire"]),
    tests("LocationServices", ["Bytes", "GNSS"]),
    tests("ControlProtocol", ["Bytes", "GNSS", "LocationServices"]),
    tests("FixLog", ["Bytes", "GNSS", "GNSSWire", "LinuxIO"]),
    tests("Gazetteer", ["Bytes", "GNSS"]),
    tests("TrackExport", ["Bytes", "GNSS", "GNSSWire", "FixLog"]),
    tests("GPSDProtocol", ["Bytes", "GNSS", "GNSSWire", "LinuxIO"]),
    tests(
      "ReceiverSimulator",
      ["Bytes", "GNSS", "GNSSWire", "ReceiverControl", "LocationServices"]),
    tests("TerminalView", ["Bytes", "GNSS"]),
    tests("LinuxIO", ["Bytes", "GNSS", "CLinux", "GPIOFake"]),
    tests(
      "BinnacleDaemon",
      [
        "Bytes", "GNSS", "GNSSWire", "ReceiverControl", "LocationServices", "ControlProtocol",
        "FixLog", "GPSDProtocol", "LinuxIO", "BinnacleClient", "ReceiverSimulator",
      ]),
    tests(
      "BinnacleCommand",
      [
        "Bytes", "GNSS", "GNSSWire", "ReceiverControl", "FixLog", "TrackExport", "TerminalView",
        "Diagnosis", "LinuxIO", "BinnacleDaemon", "BinnacleClient", "ReceiverSimulator",
      ],
      exclude: ["Fixtures"]),
    tests("Benchmarks", ["Bytes", "GNSS", "GNSSWire", "CBaselines"]),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: [
        "Bytes", "GNSS", "LocationServices", "ControlProtocol", "Gazetteer", "CoreLocation",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StyleTests", dependencies: ["LinuxIO", "BinnacleCommand"],
      swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)

// Built only when asked for, as nothing else needs them.
if Context.environment["BINNACLE_BENCHMARKS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "RegionBenchmark", dependencies: ["GNSS", "LocationServices", "LinuxIO"],
      path: "Benchmarks/Regions", swiftSettings: swiftSettings))
}
