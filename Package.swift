// swift-tools-version: 6.0
import PackageDescription

/// The very version that was tested. A package that depends on this one by URL, whose copy of it is
/// in `checkouts`, may take a later one of the same major version for its own sake.
func tested(_ url: String, _ version: Version) -> Package.Dependency {
  Context.packageDirectory.contains("/checkouts/")
    ? .package(url: url, from: version) : .package(url: url, exact: version)
}

/// The targets stand in the order of their floors, from the ground up. README.md has the table, and
/// `Tests/StructureTests` rejects a dependency that does not point down.
let package = Package(
  name: "Lodestar",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "lodestar", targets: ["lodestar"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    // Postal addresses, for programs whose geocoding uses them.
    .library(name: "Contacts", targets: ["Contacts"]),
    // Altitude, attitude and raw sensors, for programs that use Core Motion.
    .library(name: "CoreMotion", targets: ["CoreMotion"]),
    // Heading and position for programs in C, as `liblodestar`: `Scripts/install-library`.
    .library(name: "LodestarLibrary", type: .dynamic, targets: ["LodestarLibrary"]),
    .library(
      name: "LodestarCore",
      targets: [
        "Quantities", "CalibrationFit", "Chips", "EarthModel", "Fusion", "InputProof",
        "ReceiverProtocols", "Simulation",
      ]),
    // For the package in Fuzz/ only.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
  ],
  dependencies: [
    tested("https://github.com/apple/swift-numerics", "1.1.1"),
    tested("https://github.com/apple/swift-argument-parser", "1.8.2"),
  ],
  targets: [
    .target(name: "Quantities", dependencies: [real], exclude: ["README.md"]),
    .target(name: "JSON", dependencies: ["Quantities"], exclude: ["README.md"]),
    // The search path is the assembler's, for the grid that it puts in.
    .target(
      name: "CGeoidGrid", exclude: ["README.md", "EGM96.bin"],
      cSettings: [.headerSearchPath(".")]),
    // The same for the places.
    .target(
      name: "CGazetteer", exclude: ["README.md", "Gazetteer.sqlite", "Outlines.bin"],
      cSettings: [.headerSearchPath(".")]),
    // The same for the files of the web page.
    .target(
      name: "CWebPage", exclude: ["README.md", "Page"], cSettings: [.headerSearchPath("Page")]),
    .target(name: "CCoreLocation", exclude: ["README.md"]),
    .target(name: "CLodestar", exclude: ["README.md"]),
    .target(name: "CCurl", exclude: ["README.md"]),
    .target(name: "CQRCode", exclude: ["README.md"]),
    .target(name: "CLinuxIO", exclude: ["README.md"]),
    .target(name: "CMosquitto", exclude: ["README.md"]),
    .target(name: "CCompression", exclude: ["README.md"]),
    .target(name: "CDatabase", exclude: ["README.md"]),
    .target(name: "EarthModel", dependencies: ["Quantities", real], exclude: ["README.md"]),
    .target(
      name: "Fusion", dependencies: ["EarthModel", "Quantities", real], exclude: ["README.md"]),
    .target(name: "CalibrationFit", dependencies: ["Quantities", real], exclude: ["README.md"]),
    .target(name: "InputProof", dependencies: ["Quantities", real], exclude: ["README.md"]),
    .target(
      name: "ReceiverProtocols", dependencies: ["JSON", "Quantities", real], exclude: ["README.md"]),
    .target(
      name: "Monitoring", dependencies: ["EarthModel", "Quantities", real], exclude: ["README.md"]),
    .target(name: "Chips", dependencies: ["Quantities"], exclude: ["README.md"]),
    .target(
      name: "Geocoder", dependencies: ["CDatabase", "CGazetteer", "EarthModel", "Quantities"],
      exclude: ["README.md"]),
    .target(
      name: "LinuxIO", dependencies: ["CCurl", "CLinuxIO", "Chips", "Quantities"],
      exclude: ["README.md"]),
    .target(name: "Observers", exclude: ["README.md"]),
    .target(
      name: "Formats",
      dependencies: [
        "CCompression", "CDatabase", "EarthModel", "JSON", "Quantities", "ReceiverProtocols", real,
      ],
      exclude: ["README.md"]),
    .target(
      name: "Storage",
      dependencies: ["CalibrationFit", "JSON", "LinuxIO", "Monitoring", "Quantities"],
      exclude: ["README.md"]),
    .target(
      name: "Configuration",
      dependencies: [
        "Chips", "JSON", "LinuxIO", "Monitoring", "Quantities", "ReceiverProtocols",
      ],
      exclude: ["README.md"]),
    .target(
      name: "Simulation", dependencies: ["Chips", "EarthModel", "Quantities", real],
      exclude: ["README.md"]),
    .target(
      name: "Radio", dependencies: ["JSON", "LinuxIO", "Quantities"],
      exclude: ["README.md"]),
    .target(
      name: "Corrections",
      dependencies: [
        "Chips", "Configuration", "EarthModel", "Formats", "LinuxIO", "Quantities",
        "ReceiverProtocols", "Storage",
      ], exclude: ["README.md"]),
    .target(
      name: "Doctor",
      dependencies: ["Chips", "Configuration", "EarthModel", "LinuxIO", "Quantities"],
      exclude: ["README.md"]),
    .target(
      name: "Board",
      dependencies: [
        "Chips", "Configuration", "Corrections", "Formats", "LinuxIO", "Observers", "Quantities",
        "ReceiverProtocols", "Simulation", "Storage",
      ], exclude: ["README.md"]),
    .target(
      name: "Pipeline",
      dependencies: [
        "Board", "CGeoidGrid", "CalibrationFit", "Chips", "Configuration", "EarthModel", "Formats",
        "Fusion", "InputProof", "LinuxIO", "Observers", "Quantities", "Simulation", "Storage", real,
      ], exclude: ["README.md"]),
    .target(
      name: "Recording",
      dependencies: [
        "Board", "CalibrationFit", "Chips", "Configuration", "Formats", "LinuxIO", "Observers",
        "Pipeline", "Quantities", "Storage",
      ], exclude: ["README.md"]),
    .target(
      name: "BoardCheck",
      dependencies: [
        "Board", "CalibrationFit", "Chips", "Configuration", "Doctor", "InputProof", "Pipeline",
        "Quantities", "ReceiverProtocols", "Recording", real,
      ], exclude: ["README.md"]),
    .target(
      name: "HostProtocol",
      dependencies: ["Board", "JSON", "Monitoring", "Quantities", "ReceiverProtocols"],
      exclude: ["README.md"]),
    .target(
      name: "HostClient",
      dependencies: [
        "Board", "HostProtocol", "LinuxIO", "Monitoring", "Observers", "Pipeline", "Quantities",
      ], exclude: ["README.md"]),
    .target(
      name: "LocationHost",
      dependencies: [
        "Board", "Chips", "Configuration", "EarthModel", "Formats", "HostClient", "HostProtocol",
        "JSON", "LinuxIO", "Monitoring", "Observers", "Pipeline", "Quantities", "Radio",
        "Recording", "Simulation", "Storage",
      ], exclude: ["README.md"]),
    // Doors
    .target(
      name: "Servers",
      dependencies: [
        "Board", "CMosquitto", "CWebPage", "CalibrationFit", "Configuration", "EarthModel",
        "Formats", "HostClient", "HostProtocol", "JSON", "LinuxIO", "LocationHost", "Observers",
        "Pipeline", "Quantities", "ReceiverProtocols", "Storage",
      ], exclude: ["README.md"]),
    .target(
      name: "CoreLocation",
      dependencies: [
        "Board", "CCoreLocation", "EarthModel", "Formats", "Fusion", "Geocoder", "HostClient",
        "HostProtocol", "JSON", "LinuxIO", "LocationHost", "Monitoring", "Observers", "Pipeline",
        "Quantities", "Radio",
      ], exclude: ["README.md"]),
    .target(
      name: "LodestarLibrary",
      dependencies: [
        "CLodestar", "HostClient", "HostProtocol", "LinuxIO", "Observers", "Quantities",
      ], exclude: ["README.md"]),
    .target(
      name: "Terminal",
      dependencies: ["CQRCode", "CalibrationFit", "Fusion", "JSON", "Quantities"],
      exclude: ["README.md"]),
    .target(
      name: "Report",
      dependencies: [
        "CalibrationFit", "EarthModel", "Formats", "JSON", "Pipeline", "Quantities", "Storage",
        real,
      ], exclude: ["README.md"]),
    .target(name: "Contacts", dependencies: ["CoreLocation"], exclude: ["README.md"]),
    .target(
      name: "CoreMotion",
      dependencies: [
        "Chips", "CoreLocation", "EarthModel", "Fusion", "HostProtocol", "LinuxIO", "Observers",
        "Quantities",
      ], exclude: ["README.md"]),
    .target(
      name: "Setup",
      dependencies: [
        "Board", "Configuration", "Doctor", "HostProtocol", "LinuxIO", "Quantities", "Servers",
        "Terminal",
      ], exclude: ["README.md"]),
    // Executables

    // Fusion and Simulation are named where a type of Pipeline's that holds theirs is held by value:
    // SwiftPM rebuilds for a changed layout only what depends on it by name.
    .executableTarget(
      name: "lodestar",
      dependencies: [
        "Board", "BoardCheck", "CalibrationFit", "Chips", "Configuration", "Corrections", "Doctor",
        "EarthModel", "Formats", "Fusion", "HostClient", "HostProtocol", "JSON", "LinuxIO",
        "LocationHost", "Monitoring", "Observers", "Pipeline", "Quantities", "ReceiverProtocols",
        "Recording", "Report", "Servers", "Setup", "Simulation", "Storage", "Terminal", arguments,
      ]),
    .executableTarget(
      name: "CompassExample", dependencies: ["CoreLocation"], path: "Examples/Compass"),
    .executableTarget(
      name: "SampleRecordings", dependencies: ["Quantities", "Simulation"],
      path: "Examples/Recordings",
      exclude: [
        "README.md", "drive.csv", "places.json", "places.txt", "receiver.log", "trip.csv",
        "turn.csv",
      ]),

    // Tests: what they share
    .target(name: "CTestThreads", path: "Tests/CTestThreads"),
    .target(
      name: "TestSupport",
      dependencies: ["CLinuxIO", "CTestThreads", "LinuxIO", "Quantities", "Simulation"],
      path: "Tests/TestSupport"),
    .target(
      name: "ScriptedSource",
      dependencies: [
        "Board", "Chips", "Configuration", "CoreLocation", "Formats", "HostClient", "HostProtocol",
        "LocationHost", "Monitoring", "Observers", "Pipeline", "Quantities", "Radio", "Simulation",
      ],
      path: "Tests/ScriptedSource"),
    .target(
      name: "PortedSources5", dependencies: ["CoreLocation"], path: "Tests/PortedSources/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "PortedSources6", dependencies: ["CoreLocation"], path: "Tests/PortedSources/Swift6"),
    .executableTarget(
      name: "PortedSourcesProgram", dependencies: ["PortedSources5", "PortedSources6"],
      path: "Tests/PortedSources/Program"),
    .executableTarget(
      name: "DeliveryProbe",
      dependencies: [
        "Board", "CoreLocation", "LocationHost", "Monitoring", "Quantities", "ScriptedSource",
      ], path: "Tests/DeliveryProbe"),
    .executableTarget(
      name: "ProfileWriter", dependencies: ["Quantities", "Storage"],
      path: "Tests/ProfileWriter"),
    .target(
      name: "SimulatedDays",
      dependencies: ["Monitoring", "Quantities", "TestSupport", real],
      path: "Tests/SimulatedDays"),
    .executableTarget(
      name: "JournalWriter",
      dependencies: ["Monitoring", "Quantities", "SimulatedDays", "Storage"],
      path: "Tests/JournalWriter"),
    .target(name: "CAllocations", path: "Tests/Rig/CAllocations"),
    .executableTarget(
      name: "BusExercise",
      dependencies: ["CAllocations", "Chips", "LinuxIO", "Quantities", "ReceiverProtocols"],
      path: "Tests/Rig/BusExercise"),
    .executableTarget(
      name: "DeliveryBenchmark",
      dependencies: [
        "Board", "CAllocations", "Configuration", "CoreLocation", "HostClient", "HostProtocol",
        "LinuxIO", "LocationHost", "Observers", "Pipeline", "Quantities", "ScriptedSource",
        "Servers",
      ], path: "Benchmarks/Delivery"),
    .executableTarget(
      name: "FleetBenchmark",
      dependencies: ["Formats", "LinuxIO", "LocationHost", "Quantities", "Servers"],
      path: "Benchmarks/Fleet"),
    .executableTarget(
      name: "AttackExercise",
      dependencies: ["HostProtocol", "LinuxIO", "Monitoring", "Quantities", "TestSupport"],
      path: "Tests/Attack", exclude: ["README.md", "clock-shift.c", "run"]),
    .target(name: "CForcedAddress", path: "Tests/Rig/CForcedAddress"),
    .executableTarget(
      name: "ChipExercise",
      dependencies: [
        "CAllocations", "CForcedAddress", "CLinuxIO", "Chips", "LinuxIO", "Quantities",
      ], path: "Tests/Rig/ChipExercise"),
    .executableTarget(
      name: "BeaconExercise", dependencies: ["LinuxIO", "Radio"],
      path: "Tests/Rig/bluez/BeaconExercise"),
    .executableTarget(
      name: "RegionExercise", dependencies: ["CoreLocation"],
      path: "Tests/Rig/systemd/RegionExercise"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Board", "Configuration", "Corrections", "EarthModel", "Formats", "HostClient",
        "HostProtocol",
        "Monitoring", "Quantities", "ReceiverProtocols", "Servers", "Storage",
      ], path: "Tests/FuzzTargets"),
    // Tests: one target for each of the sources', and the structure of the package
    .testTarget(name: "QuantitiesTests", dependencies: ["Quantities"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "Quantities"]),
    .testTarget(
      name: "EarthModelTests", dependencies: ["EarthModel", "Quantities", "TestSupport", real],
      exclude: ["Geodesics.txt"]),
    .testTarget(
      name: "GeocoderTests",
      dependencies: ["CGazetteer", "EarthModel", "Geocoder", "Quantities", "TestSupport", real]),
    .testTarget(name: "ObserversTests", dependencies: ["LinuxIO", "Observers"]),
    .testTarget(
      name: "BoardTests",
      dependencies: [
        "Board", "Chips", "Configuration", "Formats", "LinuxIO", "LocationHost", "Pipeline",
        "Quantities", "ReceiverProtocols", "Recording", "ScriptedSource", "Simulation", "Storage",
        "TestSupport",
      ]),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "Board", "CalibrationFit", "Chips", "Configuration", "EarthModel", "Formats", "Pipeline",
        "Quantities", "ReceiverProtocols", "Simulation", "Storage", "TestSupport", real,
      ]),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "Board", "CalibrationFit", "Configuration", "Formats", "LinuxIO", "Pipeline", "Quantities",
        "Recording", "ScriptedSource", "Simulation", "Storage", "TestSupport",
      ]),
    .testTarget(name: "ChipsTests", dependencies: ["Chips", "Quantities", "Simulation"]),
    .testTarget(
      name: "LinuxIOTests",
      dependencies: ["CLinuxIO", "Chips", "LinuxIO", "Quantities", "TestSupport"]),
    .testTarget(
      name: "RadioTests", dependencies: ["LinuxIO", "Quantities", "Radio", "TestSupport"]),
    .testTarget(
      name: "CalibrationFitTests",
      dependencies: ["CalibrationFit", "Fusion", "Quantities", "TestSupport"]),
    .testTarget(
      name: "StorageTests",
      dependencies: [
        "CalibrationFit", "LinuxIO", "Monitoring", "Quantities", "SimulatedDays", "Storage",
        "TestSupport",
      ]),
    .testTarget(
      name: "FusionTests",
      dependencies: [
        "EarthModel", "Fusion", "LinuxIO", "Quantities", "Simulation", "TestSupport", real,
      ]),
    .testTarget(
      name: "InputProofTests", dependencies: ["InputProof", "Quantities", "Simulation", real]),
    .testTarget(
      name: "ReceiverProtocolsTests",
      dependencies: ["Quantities", "ReceiverProtocols", "Simulation", "TestSupport"]),
    .testTarget(
      name: "FormatsTests",
      dependencies: ["EarthModel", "Formats", "Quantities", "ReceiverProtocols", "TestSupport"]),
    .testTarget(
      name: "MonitoringTests",
      dependencies: [
        "EarthModel", "Fusion", "Monitoring", "Quantities", "SimulatedDays", "TestSupport",
      ]),
    .testTarget(
      name: "ConfigurationTests",
      dependencies: ["Chips", "Configuration", "Quantities", "TestSupport"]),
    .testTarget(
      name: "DoctorTests",
      dependencies: ["Configuration", "Doctor", "LinuxIO", "Quantities", "TestSupport"]),
    .testTarget(
      name: "BoardCheckTests",
      dependencies: [
        "Board", "BoardCheck", "Configuration", "Pipeline", "Quantities", "Simulation",
        "TestSupport",
      ]),
    .testTarget(
      name: "SimulationTests", dependencies: ["EarthModel", "Quantities", "Simulation", real]),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: [
        "Board", "Configuration", "CoreLocation", "EarthModel", "Formats", "Geocoder", "HostClient",
        "LinuxIO", "LocationHost", "Monitoring", "Observers", "Pipeline", "PortedSources5",
        "PortedSources6", "Quantities", "Radio", "Recording", "ScriptedSource", "SimulatedDays",
        "Simulation", "TestSupport",
      ]),
    .testTarget(
      name: "HostProtocolTests",
      dependencies: [
        "Board", "Formats", "HostClient", "HostProtocol", "JSON", "LinuxIO", "Monitoring",
        "Quantities", "ReceiverProtocols", "TestSupport",
      ]),
    .testTarget(
      name: "LocationHostTests",
      dependencies: [
        "Board", "CLodestar", "Chips", "Configuration", "EarthModel", "Formats", "HostClient",
        "HostProtocol", "LinuxIO", "LocationHost", "LodestarLibrary", "Monitoring", "Observers",
        "Pipeline", "Quantities", "Radio", "ReceiverProtocols", "Recording", "ScriptedSource",
        "Servers", "Storage", "TestSupport",
      ]),
    .testTarget(
      name: "CorrectionsTests",
      dependencies: ["Configuration", "Corrections", "LinuxIO", "Quantities", "TestSupport"]),
    .testTarget(name: "ContactsTests", dependencies: ["Contacts"]),
    .testTarget(
      name: "CoreMotionTests",
      dependencies: [
        "Board", "CoreLocation", "CoreMotion", "LinuxIO", "LocationHost", "Quantities",
        "ScriptedSource",
      ]),
    .testTarget(
      name: "SetupTests",
      dependencies: [
        "Board", "Chips", "Configuration", "Doctor", "HostProtocol", "LinuxIO", "Quantities",
        "Setup", "TestSupport",
      ]),
    .testTarget(
      name: "ReportTests",
      dependencies: [
        "CalibrationFit", "EarthModel", "Pipeline", "Quantities", "Report", "Storage",
        "TestSupport", real,
      ]),
    .testTarget(name: "TerminalTests", dependencies: ["CalibrationFit", "Quantities", "Terminal"]),
    // Runs the programs, which `swift build --build-tests` builds beside it. It must not depend on
    // them: in a release build Swift 6.0 would link their entry points into the tests.
    .testTarget(name: "CommandTests", dependencies: ["LinuxIO", "TestSupport"]),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .testTarget(name: "StructureTests", dependencies: ["JSON", "LinuxIO", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

var real: Target.Dependency { .product(name: "RealModule", package: "swift-numerics") }
var arguments: Target.Dependency {
  .product(name: "ArgumentParser", package: "swift-argument-parser")
}

// Test code is compiled faster without optimization; the modules that it tests stay optimized.
for target in package.targets where target.type == .test {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

// `Scripts/install-module` sets this: the facade as one shared library that hides all else, and
// resilient modules, which ask for no other. A package that depends on this one never sees these
// flags.
if Context.environment["LODESTAR_INSTALLED_MODULE"] != nil {
  package.targets.append(
    .target(
      name: "_LocationEssentials", dependencies: ["CoreLocation"],
      path: "Packaging/modules/_LocationEssentials"))
  let names = ["CoreLocation", "Contacts", "CoreMotion", "_LocationEssentials"]
  let modules = package.targets.filter { names.contains($0.name) }
  let exports = "\(Context.packageDirectory)/Packaging/modules/exports.map"
  for module in modules {
    module.swiftSettings = [
      // Swift 6.0 would check the textual interface, which is not installed, without the flags of
      // the C modules below.
      .unsafeFlags([
        "-enable-library-evolution", "-no-verify-emitted-module-interface", "-module-link-name",
        "CoreLocation",
      ])
    ]
  }
  // Once for the library, whose other modules lie above this one.
  modules.first { $0.name == "CoreLocation" }?.linkerSettings = [
    .unsafeFlags([
      "-Xlinker", "--version-script=\(exports)", "-Xlinker", "-soname=libCoreLocation.so",
    ]),
    .unsafeFlags(["-Xlinker", "--strip-debug"], .when(configuration: .release)),
  ]
  package.products.removeAll { $0.name == "CoreLocation" }
  package.products.append(
    .library(name: "CoreLocation", type: .dynamic, targets: modules.map(\.name)))
}
