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
    .library(
      name: "LodestarCore",
      targets: ["Quantities", "EarthModel", "Fusion", "ReceiverProtocols", "Simulation"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // Ground
    .target(name: "Quantities", dependencies: [real]),
    // Pure: values in, values out
    .target(name: "EarthModel", dependencies: ["Quantities", real]),
    .target(name: "Fusion", dependencies: ["Quantities", real]),
    .target(
      name: "ReceiverProtocols", dependencies: ["Quantities", real], exclude: ["README.md"]),
    .target(
      name: "Outputs", dependencies: ["Quantities", "ReceiverProtocols"], exclude: ["README.md"]),
    // Machinery
    .target(name: "Recording", dependencies: ["Quantities"]),
    .target(name: "BoardFile", dependencies: ["Quantities", yams]),
    .target(name: "Simulation", dependencies: ["Quantities", "EarthModel", real]),
    // Joining
    .target(
      name: "Engine",
      dependencies: [
        "Quantities", "EarthModel", "Fusion", "ReceiverProtocols", "Recording", "BoardFile",
        "Simulation",
      ]),
    // Doors
    .target(name: "CoreLocation", dependencies: ["Engine", "EarthModel", "Quantities"]),
    // Executables
    .executableTarget(
      name: "lodestar",
      dependencies: [
        "Engine", "EarthModel", "Quantities", "ReceiverProtocols", "Outputs", "Recording",
        "BoardFile", "Simulation", arguments,
      ]),
    .executableTarget(
      name: "CompassExample", dependencies: ["CoreLocation"], path: "Examples/Compass"),
    // Tests
    .target(name: "TestSupport", dependencies: ["Quantities"], path: "Tests/TestSupport"),
    .testTarget(name: "QuantitiesTests", dependencies: ["Quantities", "TestSupport"]),
    .testTarget(
      name: "ReceiverProtocolsTests",
      dependencies: ["ReceiverProtocols", "Quantities", "TestSupport"]),
    .testTarget(
      name: "OutputsTests",
      dependencies: ["Outputs", "ReceiverProtocols", "Quantities", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

var real: Target.Dependency { .product(name: "RealModule", package: "swift-numerics") }
var yams: Target.Dependency { .product(name: "Yams", package: "Yams") }
var arguments: Target.Dependency {
  .product(name: "ArgumentParser", package: "swift-argument-parser")
}
