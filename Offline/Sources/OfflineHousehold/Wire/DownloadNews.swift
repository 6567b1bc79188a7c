// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineServer
import Tidings
import TidingsBridge

/// The end of a download on the way to the other machines.
///
/// It has no address of a film and no key to the page: every machine of the space reads it.
struct DownloadNews: BridgedMessage {
    static let wireName: WireName = "offline.download-ended"

    let machine: LineOfText
    let item: ItemID
    let title: LineOfText
    /// Whether the machine's page can play the file.
    let isPlayable: Bool
    /// Why the download failed; nil for a finished one.
    let failure: LineOfText?
    /// The machine's page; nil if no other machine can reach it.
    let page: MachinePage?

    /// Keeps a failure of an item and its later success in order.
    var orderingKey: String? { "\(item)" }
}

extension DownloadNews {
    private enum CodingKeys: CodingKey {
        case machine, item, title, isPlayable, failure, page
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        machine = try values.decode(LineOfText.self, forKey: .machine)
        title = try values.decode(LineOfText.self, forKey: .title)
        let item = try values.decode(ItemID.self, forKey: .item)
        guard item.rawValue > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .item,
                in: values,
                debugDescription: "The number of an item is positive."
            )
        }
        self.item = item
        isPlayable = try values.decode(Bool.self, forKey: .isPlayable)
        failure = try values.decodeIfPresent(LineOfText.self, forKey: .failure)
        // News without a link are better than none.
        page = try? values.decodeIfPresent(MachinePage.self, forKey: .page)
    }
}
