// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings
import TidingsBridge
import TidingsHTTP

/// An address that one machine hands to another to keep, and the choice of its media.
///
/// Neither headers nor cookies cross, because every machine of the space reads it; and what private
/// addresses are permitted, the machine that keeps it decides.
struct HandedAddress: Hashable, Sendable, Codable {
    private struct Malformed: Error {}

    /// The maximum size of a text in bytes.
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

    /// Decodes an address, and refuses one that cannot be downloaded.
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

    /// Whether another machine takes texts of this length.
    var isShort: Bool {
        let texts = [url, quality, audio, subtitles, chapters].compactMap(\.self)
        return texts.allSatisfy { $0.utf8.count <= Self.longest }
    }

    /// Returns the request for this machine's library.
    ///
    /// - Throws: The reason why it cannot be downloaded.
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
