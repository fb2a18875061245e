import ReceiverProtocols
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct SentenceNoiseTests {
  /// One example of each instrument's and each proprietary sentence.
  static let bodies = [
    "GPGBS,235458.00,1.4,1.3,3.1,03,,-21.4,3.8,1,0", "HETHS,316.70,E",
    "AGHTD,V,2.8,L,M,N,30.0,10.0,0.5,15.0,149.5,0.1,150.2,T,A,A,V,149.0",
    "AGHTC,V,2.8,L,M,N,30.0,10.0,0.5,15.0,149.5,0.1,150.2,T",
    "IIXDR,P,1.02481,B,Barometer,C,19.52,C,TempAir,A,1.5,D,PITCH",
    "IIVHW,245.1,T,243.0,M,5.5,N,10.2,K", "VWVLW,1.5,N,0.5,N,2.0,N,1.0,N",
    "VDVBW,-7.1,0.5,A,6.9,-0.4,A,0.2,A,-0.1,V", "IIVDR,179.5,T,177.0,M,0.6,N",
    "WIMWV,251.4,R,3.1,N,A", "WIMWD,270.1,T,268.0,M,12.5,N,6.4,M",
    "IIVWR,45.0,L,12.6,N,6.5,M,23.3,K", "IIVWT,75.0,R,12.6,N,6.5,M,23.3,K",
    "WIMDA,30.2269,I,1.0236,B,17.7,C,,,43.3,,5.0,C,131.5,T,128.6,M,0.8,N,0.4,M", "INMTW,17.9,C",
    "WIMTA,21.5,C", "IIMMB,29.9870,I,1.0154,B", "WIMHU,66.0,5.0,3.0,C",
    "SDDBT,7.8,f,2.4,M,1.3,F", "SDDBK,7.8,f,2.4,M,1.3,F", "SDDBS,7.8,f,2.4,M,1.3,F",
    "SDDPT,5.0,-1.5,100", "PASHR,163029.000,158.09,T,-0.30,+0.31,+0.01,0.029,0.028,0.059,1,1",
    "PTNTHPR,85.9,N,-0.9,N,0.8,N", "PTNTHTM,14223,N,169,N,-43,N,13641,2454",
    "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,"
      + "0.77,9,0,0", "PUBX,03,02,23,-,,,45,010,08,U,067,31,42,025",
    "PUBX,04,073731.00,091202,113851.00,1196,15D,1930035,-2660.664,43,",
    "PGRME,15.0,M,45.0,M,25.0,M", "PGRMZ,2282,f,3", "PGRMM,WGS 84", "PGRMV,-1.5,2.25,0.1",
    "PGRMF,820,515078,220502,230434,13,3907.3813,N,12102.4639,W,A,2,36,62,2,1",
    "PASHR,POS,3,10,151858.00,4717.960848,N,00130.499487,W,82.972,,0.0,0.0,0.0,2.0,1.1,1.7,1.3,G010",
    "PASHR,SAT,02,03,103,56,50.5,U,23,225,61,39,-",
    "PSRFEPE,100542.000,A,0.7,6.82,10.69,0.0,180.0", "PSXN,20,1,0,0,0",
    "PSXN,23,0.30,-0.97,298.57,0.13", "PHTRO,10.37,P,177.62,T", "PHINF,00000805",
    "PFEC,GPatt,123.4,-1.5,2.5", "PFEC,GPhve,-0.123,A", "PRDID,-000.19,+000.04,158.32",
    "PSAT,HPR,235410.50,89.58,3.35,,N",
  ]

  @Test("Each sentence is decoded complete and with every field empty", arguments: bodies)
  func whole(body: String) {
    let (sentences, counts) = decode(sentence(body))
    #expect(sentences.count == 1)
    #expect(counts.unreadableFields == 0)
    // The address, and for some proprietary sentences an identifier.
    let fields = body.split(separator: ",", omittingEmptySubsequences: false)
    let hasIdentifier = ["PUBX", "PSXN", "PFEC", "PSAT"].contains(String(fields[0]))
    let isAshtech = fields[0] == "PASHR" && fields[1].first?.isLetter == true
    let kept = hasIdentifier || isAshtech ? 2 : 1
    let empty =
      fields[..<kept].joined(separator: ",")
      + String(repeating: ",", count: fields.count - kept)
    let (emptySentences, countsEmpty) = decode(sentence(empty))
    #expect(emptySentences.count == 1, "\(empty)")
    #expect(countsEmpty.unreadableFields == 0)
  }

  @Test("Wrong bytes and lengths with a valid checksum never stop the decoder", arguments: bodies)
  func mutated(body: String) {
    var generator = SeededGenerator(seed: 23)
    let alphabet = Array("0123456789.,,,-+AVNEWSMTKFLRDPCUX \u{7F}".utf8)
    for _ in 0..<400 {
      var bytes = Array(body.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let at = Int.random(in: 5..<bytes.count, using: &generator)
        let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[at] = byte
        case 1: bytes.insert(byte, at: at)
        default: if bytes.count > 7 { bytes.remove(at: at) }
        }
      }
      let (sentences, counts) = decode(sentence(String(decoding: bytes, as: UTF8.self)))
      #expect(sentences.count <= 1)
      #expect(counts.accepted + counts.rejected + counts.unregistered >= 1)
    }
  }

  @Test("The enumeration of sentences has at most 264 bytes")
  func size() {
    // Sentences are copied: a larger case makes every sentence larger.
    #expect(MemoryLayout<NMEASentence>.size <= 264)
  }
}
