// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

extension Arguments {
    /// The options of `offline follow`.
    struct Follow: Equatable {
        /// The address of the feed.
        var address: String
        var keep = FeedRequest.standardKeep
        var keepsPages = false
        var allowsPrivateAddresses = false
        /// The options of the requests, but their cookies.
        var options = RequestOptions.Texts()
        /// The file with the cookies; nil without one.
        var cookieFile: String?
        /// The browser whose cookies are used; nil for none.
        var cookieBrowser: String?
    }

    static func follow(_ scanner: inout ArgumentScanner) throws(UsageError) -> Follow {
        var keep = FeedRequest.standardKeep
        if let text = try scanner.value(of: "--keep", named: "10") {
            guard let number = Int(text), FeedRequest.keepRange.contains(number) else {
                throw UsageError(
                    "“\(text)” is not a number of entries. Use one from "
                        + "\(FeedRequest.keepRange.lowerBound) to "
                        + "\(FeedRequest.keepRange.upperBound)."
                )
            }
            keep = number
        }
        let pages = scanner.flag("--pages")
        let allowsPrivate = scanner.flag("--allow-private")
        let options = try options(&scanner)
        let cookieFile = try scanner.value(of: "--cookies", named: "FILE")
        let browser = try scanner.value(of: "--cookies-from-browser", named: "firefox")
        guard let address = scanner.next() else {
            throw UsageError("The address is missing. Use: offline follow https://…")
        }
        return Follow(
            address: address,
            keep: keep,
            keepsPages: pages,
            allowsPrivateAddresses: allowsPrivate,
            options: options,
            cookieFile: cookieFile,
            cookieBrowser: browser
        )
    }

    static func feeds(_ scanner: inout ArgumentScanner) throws(UsageError) -> [FeedID] {
        var ids: [FeedID] = []
        while let text = scanner.next() {
            guard let id = FeedID(text) else {
                throw UsageError(
                    "“\(text)” is not the number of a feed. `offline following` shows the numbers."
                )
            }
            ids.append(id)
        }
        guard !ids.isEmpty else {
            throw UsageError("The feed's number is missing. `offline following` shows the numbers.")
        }
        return ids
    }
}
