// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import Tidings
import TidingsBridge
import TidingsHTTP

/// An address that one machine hands to another machine to keep, with the choice of media.
///
/// Headers and cookies are not included, because every machine of the space reads the message. The
/// machine that keeps the address decides about private addresses.
struct HandedAddress: Hashable, Sendable, Codable {
    private struct Malformed: Error {}

    /// The maximum size of each string in bytes.
    static let longest = 8 << 10

    let url: String
    let quality: String?
    let audio: String?
    let subtitles: String?
    let chapters: String?

    init(_ request: DownloadRequest) {
        url = request.origin.text
        quality = request.choice.quality?.description
        audio = request.choice.audio?.description
        subtitles = request.choice.subtitles?.description
        chapters = request.choice.chapters?.description
    }

    /// Decodes an address.
    ///
    /// An address that cannot be downloaded is refused.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        url = try values.decode(String.self, forKey: .url)
        quality = try values.decodeIfPresent(String.self, forKey: .quality)
        audio = try values.decodeIfPresent(String.self, forKey: .audio)
        subtitles = try values.decodeIfPresent(String.self, forKey: .subtitles)
        chapters = try values.decodeIfPresent(String.self, forKey: .chapters)
        guard isShort else { throw Malformed() }
        _ = try request()
    }

    /// Whether another machine accepts strings of this length.
    var isShort: Bool {
        let texts = [url, quality, audio, subtitles, chapters].compactMap(\.self)
        return texts.allSatisfy { $0.utf8.count <= Self.longest }
    }

    /// Returns the request for this machine's library.
    ///
    /// - Throws: The reason why the address cannot be downloaded.
    func request() throws -> DownloadRequest {
        DownloadRequest(
            .address(try WebAddress(url)),
            choice: try RequestedChoice(
                quality: quality,
                audio: audio,
                subtitles: subtitles,
                chapters: chapters
            )
        )
    }
}

/// An address that any one machine of the space keeps.
struct AddressForAny: BridgedMessage {
    static let wireName: WireName = "offline.address.any"

    let address: HandedAddress
}

/// An address that one named machine keeps.
struct AddressForMachine: BridgedMessage {
    static let wireName: WireName = "offline.address.machine"

    /// The storage of the machine's bridge, which differs for machines of the same name.
    let origin: String
    let address: HandedAddress

    /// Keeps the addresses for one machine in order.
    var orderingKey: String? { origin }
}
