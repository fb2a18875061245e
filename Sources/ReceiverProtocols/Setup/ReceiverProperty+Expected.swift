extension ReceiverProperty {
  /// What the text of a value may be, with an example: for messages.
  public var expected: String {
    func words(_ words: [String]) -> String {
      var text = ""
      for (index, word) in words.enumerated() { text += (index == 0 ? "" : ", ") + word }
      return text
    }
    return switch self {
    case .rate: "solutions a second, above 0 and at most 100, such as 5"
    case .model: "one of " + words(UBXDynamicModel.allCases.map { $0.word })
    case .messages: "one of " + words(UBXSetupRequest.Messages.allCases.map { $0.rawValue })
    case .sentences:
      "some of " + words(OutputSentence.allCases.map { $0.rawValue }) + ", such as GGA,RMC"
    case .systems:
      "some of " + words(Constellation.allCases.map { $0.word }) + ", such as gps,galileo"
    case .mask: "degrees from 0 to 90, such as 10"
    case .base:
      "no, survey,SECONDS[,METRES] such as survey,300,2, or fixed,LATITUDE,LONGITUDE,HEIGHT"
    case .heading: "on or off"
    case .baud: "bits per second from 1200 to 4000000, such as 115200"
    }
  }
}
