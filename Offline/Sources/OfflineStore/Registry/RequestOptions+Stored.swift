// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel

extension RequestOptions {
    /// Reads the text of the registry, where nil stands for no options.
    package init(stored text: String?) throws(DownloadError) {
        guard let text else {
            self.init()
            return
        }
        do {
            let texts = try JSONDecoder().decode(Texts.self, from: Data(text.utf8))
            try self.init(texts)
        } catch {
            throw DownloadError(
                .refused,
                "This version cannot read the stored options of the item. Remove the item and add "
                    + "its address again with its headers, cookies, proxy or checksum."
            )
        }
    }

    /// The text of the registry, or nil without options.
    package var stored: String? {
        guard !isEmpty, let data = try? JSONFormat.encode(texts) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
