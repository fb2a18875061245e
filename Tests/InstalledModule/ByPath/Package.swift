// swift-tools-version:5.9
import PackageDescription

let package = Package(
  name: "ByPath",
  platforms: [.macOS(.v14), .iOS(.v17)],
  dependencies: [.package(name: "Lodestar", path: "../../..")],
  targets: [
    .executableTarget(
      name: "ByPath", dependencies: [.product(name: "CoreLocation", package: "Lodestar")])
  ]
)
