import Foundation
import Yams

private enum ApplicationKey: String, CaseIterable {
  case authorization, answer, accuracy, purposes, unit
}

private enum PurposeWord: String, CaseIterable { case grant, deny }

private enum RegionKey: String, CaseIterable {
  case cushionFactor, minimumCushion, dwell, responseDelay
}

private enum ChangeKey: String, CaseIterable { case distance, interval }

private enum VisitKey: String, CaseIterable { case radius, dwell }

private enum WiFiKey: String, CaseIterable { case url, key, interval }

/// A day: more is a mistake of units.
private let seconds = 0.0...86_400
private let metres = 0.0...100_000

extension PolicyReader {
  func applyApplications(
    _ node: Node, _ place: String, to policy: inout Policy
  ) throws(PolicyError) {
    for (name, key, value) in try pairs(of: node, at: place, "identifiers of applications") {
      guard Policy.isApplicationID(name) else {
        throw wrong(key, place, "an application's identifier, as com.example.app")
      }
      var application = policy.applications[name] ?? ApplicationPolicy()
      let keys = try entries(of: value, at: joined(place, name), allowed: ApplicationKey.self)
      for entry in keys {
        let (node, place) = (entry.value, entry.place)
        switch entry.key {
        case .authorization: application.authorization = try word(node, place)
        case .answer: application.answer = try word(node, place)
        case .accuracy: application.accuracy = try word(node, place)
        case .purposes:
          for (key, _, value) in try pairs(of: node, at: place, "keys of purposes") {
            let said: PurposeWord = try word(value, joined(place, key))
            application.purposes[key] = said == .grant
          }
        case .unit: application.unit = try unit(node, place)
        }
      }
      policy.applications[name] = application
    }
  }

  func applyRegions(
    _ node: Node, _ place: String, to rules: inout RegionRules
  ) throws(PolicyError) {
    for entry in try entries(of: node, at: place, allowed: RegionKey.self) {
      let (node, place) = (entry.value, entry.place)
      switch entry.key {
      case .cushionFactor: rules.cushionFactor = try number(node, place, "a factor", 0...10)
      case .minimumCushion: rules.minimumCushionMetres = try number(node, place, "metres", metres)
      case .dwell: rules.dwellSeconds = try number(node, place, "seconds", seconds)
      case .responseDelay: rules.responseDelaySeconds = try number(node, place, "seconds", seconds)
      }
    }
  }

  func applySignificantChange(
    _ node: Node, _ place: String, to rules: inout SignificantChangeRules
  ) throws(PolicyError) {
    for entry in try entries(of: node, at: place, allowed: ChangeKey.self) {
      let (node, place) = (entry.value, entry.place)
      switch entry.key {
      case .distance: rules.distanceMetres = try number(node, place, "metres", metres)
      case .interval: rules.intervalSeconds = try number(node, place, "seconds", seconds)
      }
    }
  }

  func applyVisits(
    _ node: Node, _ place: String, to rules: inout VisitRules
  ) throws(PolicyError) {
    for entry in try entries(of: node, at: place, allowed: VisitKey.self) {
      let (node, place) = (entry.value, entry.place)
      switch entry.key {
      case .radius: rules.radiusMetres = try number(node, place, "metres", 1...metres.upperBound)
      case .dwell: rules.dwellSeconds = try number(node, place, "seconds", 1...seconds.upperBound)
      }
    }
  }

  /// `off` takes away what a file before has said.
  func applyWiFi(
    _ node: Node, _ place: String, to rules: inout WiFiLocationRules?
  ) throws(PolicyError) {
    if node.bool == false {
      rules = nil
      return
    }
    var read = rules ?? WiFiLocationRules(url: "")
    for entry in try entries(of: node, at: place, allowed: WiFiKey.self) {
      let (node, place) = (entry.value, entry.place)
      switch entry.key {
      case .url: read.url = try address(node, place)
      case .key: read.key = try text(node, place, "the service's key")
      // Public services ask their users to be modest.
      case .interval: read.intervalSeconds = try number(node, place, "seconds", 10...86_400)
      }
    }
    guard !read.url.isEmpty else {
      throw wrong(node, place, "the key 'url', or 'off'")
    }
    rules = read
  }

  private func address(_ node: Node, _ place: String) throws(PolicyError) -> String {
    let address = try text(node, place, "an address: http://… or https://…")
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty
    else { throw wrong(node, place, "an address: http://… or https://…") }
    return address
  }

  private func unit(_ node: Node, _ place: String) throws(PolicyError) -> String {
    let name = try text(node, place, "the name of a systemd unit, as name.service")
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789:_.@\\-".unicodeScalars.contains($0))
    }
    guard isPlain, name.hasSuffix(".service"), name != ".service" else {
      throw wrong(node, place, "the name of a systemd unit, as name.service")
    }
    return name
  }
}
