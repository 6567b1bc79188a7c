// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel
import Tidings
import TidingsBridge

/// The end of a download, as a message to the other machines.
///
/// The message has neither the address of a film nor the key to the page, because every machine of
/// the space reads the message.
struct DownloadNews: BridgedMessage {
    static let wireName: WireName = "offline.download-ended"

    let machine: LineOfText
    let item: ItemID
    let title: LineOfText
    /// Whether the machine's page can play the file.
    let isPlayable: Bool
    /// The reason why the download failed, or nil for a finished download.
    let failure: LineOfText?
    /// The machine's page, or nil if no other machine can reach the page.
    let page: MachinePage?

    /// Keeps a failure of an item and a later success in order.
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
        // News without a link is better than no news.
        page = try? values.decodeIfPresent(MachinePage.self, forKey: .page)
    }
}
