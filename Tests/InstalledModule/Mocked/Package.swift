// swift-tools-version:5.9
import PackageDescription

let package = Package(
  name: "Walk",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: [.library(name: "Walk", targets: ["Walk"])],
  targets: [
    .target(name: "Walk"),
    .testTarget(name: "WalkTests", dependencies: ["Walk"]),
  ]
)
