// swift-tools-version: 6.0
import PackageDescription

/// Floors, from the ground up: an import may only point down (`Tests/HouseTests` reads this file's
/// dump and rejects an edge that points up).
let package = Package(
  name: "Lodestar",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "lodestar", targets: ["lodestar"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    // Postal addresses, for programs whose geocoding uses them.
    .library(name: "Contacts", targets: ["Contacts"]),
    .library(
      name: "LodestarCore",
      targets: [
        "Quantities", "Bus", "CalibrationFit", "Chips", "EarthModel", "Fusion", "ReceiverProtocols",
        "Simulation",
      ]),
    // For the package in Fuzz/ only.
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // Ground
    .target(name: "Quantities", dependencies: [real], exclude: ["README.md"]),
    // The search path is the assembler's, for the grid that it puts in.
    .target(
      name: "CGeoidGrid", exclude: ["README.md", "EGM96.bin"],
      cSettings: [.headerSearchPath(".")]),
    // The same for the places.
    .target(
      name: "CGazetteer", exclude: ["README.md", "Gazetteer.sqlite"],
      cSettings: [.headerSearchPath(".")]),
    .target(name: "CCoreLocation", exclude: ["README.md"]),
    // Pure: values in, values out
    .target(name: "EarthModel", dependencies: ["Quantities", real], exclude: ["README.md"]),
    .target(name: "Fusion", dependencies: ["Quantities", real], exclude: ["README.md"]),
    .target(name: "CalibrationFit", dependencies: ["Quantities", real], exclude: ["README.md"]),
    .target(name: "ReceiverProtocols", dependencies: ["Quantities", real], exclude: ["README.md"]),
    .target(
      name: "Monitoring", dependencies: ["EarthModel", "Quantities", real], exclude: ["README.md"]),
    // Talks to hardware, as protocols and drivers
    .target(name: "Bus", dependencies: ["Quantities"], exclude: ["README.md"]),
    .target(name: "Chips", dependencies: ["Bus", "Quantities"], exclude: ["README.md"]),
    // Machinery
    .target(
      name: "GeoidData", dependencies: ["CGeoidGrid", "EarthModel"], exclude: ["README.md"]),
    .target(
      name: "Geocoder", dependencies: ["CGazetteer", "EarthModel", "Quantities"],
      exclude: ["README.md"]),
    .target(name: "CLinuxBus"),
    .target(
      name: "LinuxBus", dependencies: ["Bus", "Chips", "CLinuxBus", "Quantities"],
      exclude: ["README.md"]),
    .target(name: "CDBus", exclude: ["README.md"]),
    .target(name: "LinuxDBus", dependencies: ["CDBus"], exclude: ["README.md"]),
    .target(
      name: "Beacons", dependencies: ["LinuxDBus", "Quantities"], exclude: ["README.md"]),
    .target(name: "CCurl", exclude: ["README.md"]),
    .target(
      name: "WiFiLocation", dependencies: ["CCurl", "LinuxDBus", "Quantities"],
      exclude: ["README.md"]),
    .target(
      name: "Outputs", dependencies: ["Quantities", "ReceiverProtocols", real],
      exclude: ["README.md"]),
    .target(name: "Recording", dependencies: ["Quantities"], exclude: ["README.md"]),
    .target(
      name: "CalibrationStore", dependencies: ["CalibrationFit", "Quantities"],
      exclude: ["README.md"]),
    .target(name: "Policy", dependencies: [yams], exclude: ["README.md"]),
    .target(
      name: "MonitoringStore", dependencies: ["CalibrationStore", "Monitoring", "Quantities"],
      exclude: ["README.md"]),
    .target(
      name: "BoardFile", dependencies: ["Bus", "Chips", "Quantities", "ReceiverProtocols", yams]),
    .target(
      name: "Simulation", dependencies: ["Bus", "Chips", "Quantities", "EarthModel", real],
      exclude: ["README.md"]),
    .target(
      name: "ServiceProtocol", dependencies: ["Monitoring", "Quantities"], exclude: ["README.md"]),
    // Joining
    .target(
      name: "Engine",
      dependencies: [
        "Quantities", "Bus", "CalibrationFit", "CalibrationStore", "Chips", "EarthModel", "Fusion",
        "ReceiverProtocols", "Recording", "BoardFile", "LinuxBus", "Simulation", "GeoidData", real,
      ],
      exclude: ["README.md"]),
    // Between joining and the doors: what monitoring is fed with, and how a door gets at the daemon
    .target(
      name: "MonitoringFeeds",
      dependencies: [
        "Beacons", "Engine", "LinuxDBus", "Monitoring", "MonitoringStore", "Policy",
        "Quantities", "Recording", "WiFiLocation",
      ], exclude: ["README.md"]),
    .target(
      name: "ServiceClient",
      dependencies: ["Engine", "Monitoring", "Quantities", "Recording", "ServiceProtocol"],
      exclude: ["README.md"]),
    // Doors
    .target(
      name: "Service",
      dependencies: [
        "Beacons", "BoardFile", "Engine", "Monitoring", "MonitoringFeeds", "MonitoringStore",
        "Policy", "Quantities", "Recording", "ServiceProtocol", "WiFiLocation", yams,
      ], exclude: ["README.md"]),
    .target(
      name: "CoreLocation",
      dependencies: [
        "Beacons", "CCoreLocation", "Engine", "EarthModel", "Fusion", "Geocoder", "Monitoring",
        "MonitoringFeeds", "MonitoringStore", "Policy", "Quantities", "Recording", "ServiceClient",
        "ServiceProtocol",
        "WiFiLocation",
      ],
      exclude: ["README.md"]),
    .target(name: "Contacts", dependencies: ["CoreLocation"], exclude: ["README.md"]),
    .target(name: "TerminalUI", dependencies: ["Fusion", "Quantities"], exclude: ["README.md"]),
    .target(
      name: "CalibrationTool",
      dependencies: ["CalibrationFit", "Outputs", "Quantities", "TerminalUI"],
      path: "Calibration/CalibrationTool", exclude: ["README.md"]),
    // Executables
    // Fusion and Simulation are named where a type of Engine's that holds theirs is held by value: SwiftPM
    // rebuilds for a changed layout only what depends on it by name.
    .executableTarget(
      name: "lodestar",
      dependencies: [
        "Engine", "Bus", "CalibrationFit", "CalibrationStore", "Chips", "EarthModel", "Fusion",
        "Monitoring", "Quantities", "ReceiverProtocols", "Outputs",
        "Recording", "BoardFile", "Service", "ServiceClient", "ServiceProtocol", "Simulation",
        "CalibrationTool", "TerminalUI", "GeoidData",
        arguments,
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
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .target(
      name: "ScriptedSource",
      dependencies: ["CoreLocation", "Engine", "Monitoring", "Quantities", "Recording"],
      path: "Tests/ScriptedSource"),
    .target(
      name: "PortedSources5", dependencies: ["CoreLocation"], path: "Tests/PortedSources/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "PortedSources6", dependencies: ["CoreLocation"], path: "Tests/PortedSources/Swift6"),
    .executableTarget(
      name: "DeliveryProbe", dependencies: ["CoreLocation", "Quantities", "ScriptedSource"],
      path: "Tests/DeliveryProbe"),
    .executableTarget(
      name: "ProfileWriter", dependencies: ["CalibrationFit", "CalibrationStore", "Quantities"],
      path: "Tests/ProfileWriter"),
    .target(
      name: "SimulatedDays",
      dependencies: ["EarthModel", "Monitoring", "Quantities", "TestSupport", real],
      path: "Tests/SimulatedDays"),
    .executableTarget(
      name: "JournalWriter",
      dependencies: ["Monitoring", "MonitoringStore", "Quantities", "SimulatedDays"],
      path: "Tests/JournalWriter"),
    .target(name: "CAllocations", path: "Tests/Rig/CAllocations"),
    .executableTarget(
      name: "BusExercise",
      dependencies: ["Bus", "CAllocations", "LinuxBus", "Quantities", "ReceiverProtocols"],
      path: "Tests/Rig/BusExercise"),
    .target(name: "CForcedAddress", path: "Tests/Rig/CForcedAddress"),
    .executableTarget(
      name: "ChipExercise",
      dependencies: [
        "Bus", "CAllocations", "CForcedAddress", "CLinuxBus", "Chips", "LinuxBus", "Quantities",
      ], path: "Tests/Rig/ChipExercise"),
    .executableTarget(
      name: "BeaconExercise", dependencies: ["Beacons", "LinuxDBus"],
      path: "Tests/Rig/bluez/BeaconExercise"),
    .executableTarget(
      name: "RegionExercise", dependencies: ["CoreLocation"],
      path: "Tests/Rig/systemd/RegionExercise"),
    .target(
      name: "FuzzTargets",
      dependencies: ["BoardFile", "Outputs", "Quantities", "ReceiverProtocols", "Recording"],
      path: "Tests/FuzzTargets"),
    // Tests: one target for each of the sources', and the house itself
    .testTarget(name: "QuantitiesTests", dependencies: ["Quantities"]),
    .testTarget(
      name: "EarthModelTests", dependencies: ["EarthModel", "Quantities", "TestSupport", real],
      exclude: ["Geodesics.txt"]),
    .testTarget(
      name: "GeocoderTests",
      dependencies: ["CGazetteer", "EarthModel", "Geocoder", "Quantities", "TestSupport", real]),
    .testTarget(name: "GeoidDataTests", dependencies: ["EarthModel", "GeoidData", "Quantities"]),
    .testTarget(name: "ChipsTests", dependencies: ["Bus", "Chips", "Quantities", "Simulation"]),
    .testTarget(
      name: "LinuxBusTests",
      dependencies: ["Bus", "Chips", "LinuxBus", "Quantities", "TestSupport"]),
    .testTarget(name: "LinuxDBusTests", dependencies: ["LinuxDBus", "TestSupport"]),
    .testTarget(
      name: "BeaconsTests", dependencies: ["Beacons", "LinuxDBus", "Quantities", "TestSupport"]),
    .testTarget(
      name: "WiFiLocationTests",
      dependencies: ["LinuxDBus", "Quantities", "TestSupport", "WiFiLocation"]),
    .testTarget(
      name: "CalibrationFitTests",
      dependencies: ["CalibrationFit", "Fusion", "Quantities", "TestSupport"]),
    .testTarget(
      name: "CalibrationStoreTests",
      dependencies: ["CalibrationFit", "CalibrationStore", "Quantities", "TestSupport"]),
    .testTarget(name: "FusionTests", dependencies: ["Fusion", "Quantities", "TestSupport"]),
    .testTarget(
      name: "ReceiverProtocolsTests",
      dependencies: ["ReceiverProtocols", "Quantities", "Simulation", "TestSupport"]),
    .testTarget(
      name: "OutputsTests", dependencies: ["Outputs", "ReceiverProtocols", "Quantities"]),
    .testTarget(name: "RecordingTests", dependencies: ["Recording", "Quantities"]),
    .testTarget(
      name: "MonitoringTests",
      dependencies: ["EarthModel", "Monitoring", "Quantities", "SimulatedDays", "TestSupport"]),
    .testTarget(
      name: "MonitoringStoreTests",
      dependencies: [
        "CalibrationStore", "Monitoring", "MonitoringStore", "Quantities", "SimulatedDays",
        "TestSupport",
      ]),
    .testTarget(
      name: "MonitoringFeedsTests",
      dependencies: [
        "Beacons", "Engine", "Monitoring", "MonitoringFeeds", "Policy", "Quantities",
        "TestSupport", "WiFiLocation",
      ]),
    .testTarget(
      name: "BoardFileTests",
      dependencies: ["BoardFile", "Chips", "Quantities", "ReceiverProtocols", "TestSupport"]),
    .testTarget(name: "PolicyTests", dependencies: ["Policy"]),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "EarthModel", "Quantities", real]),
    .testTarget(
      name: "EngineTests",
      dependencies: [
        "Engine", "BoardFile", "Bus", "CalibrationStore", "Chips", "EarthModel", "Fusion",
        "GeoidData", "LinuxBus", "Quantities",
        "ReceiverProtocols", "Recording", "Simulation", "TestSupport",
      ]),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: [
        "Beacons", "BoardFile", "CoreLocation", "EarthModel", "Engine", "Geocoder", "Monitoring",
        "MonitoringStore", "Policy", "PortedSources5", "PortedSources6", "Quantities", "Recording",
        "ScriptedSource", "Simulation", "TestSupport",
      ]),
    .testTarget(
      name: "ServiceProtocolTests", dependencies: ["Monitoring", "Quantities", "ServiceProtocol"]),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Chips", "Engine", "Monitoring", "MonitoringStore", "Quantities", "Recording",
        "ScriptedSource", "Service", "ServiceClient", "ServiceProtocol", "TestSupport",
        "WiFiLocation",
      ]),
    .testTarget(
      name: "ServiceClientTests",
      dependencies: [
        "Engine", "Monitoring", "Quantities", "ServiceClient", "ServiceProtocol", "TestSupport",
      ]),
    .testTarget(name: "ContactsTests", dependencies: ["Contacts"]),
    .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI", "Quantities"]),
    .testTarget(
      name: "CalibrationToolTests",
      dependencies: ["CalibrationFit", "CalibrationTool", "Quantities", "TerminalUI"]),
    // Runs the programs, which `swift build --build-tests` builds beside it. It must not depend on them:
    // in a release build Swift 6.0 would link their entry points into the tests.
    .testTarget(name: "CommandTests", dependencies: ["TestSupport"]),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

var real: Target.Dependency { .product(name: "RealModule", package: "swift-numerics") }
var yams: Target.Dependency { .product(name: "Yams", package: "Yams") }
var arguments: Target.Dependency {
  .product(name: "ArgumentParser", package: "swift-argument-parser")
}

// `Scripts/install-module` sets this: the facade as one shared library that hides all else, and resilient
// modules, which ask for no other. A package that depends on this one never sees these flags.
if Context.environment["LODESTAR_INSTALLED_MODULE"] != nil {
  package.targets.append(
    .target(
      name: "_LocationEssentials", dependencies: ["CoreLocation"],
      path: "Packaging/modules/_LocationEssentials"))
  let names = ["CoreLocation", "Contacts", "_LocationEssentials"]
  let modules = package.targets.filter { names.contains($0.name) }
  let exports = "\(Context.packageDirectory)/Packaging/modules/exports.map"
  for module in modules {
    module.swiftSettings = [
      // Swift 6.0 checks a textual interface, which nobody installs, without the flags of the C modules below.
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
