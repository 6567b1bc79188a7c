// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

extension DownloadError {
    /// The maximum number of media that an error lists.
    private static let listed = 8

    /// Creates the error for a page without an address of media.
    ///
    /// - Parameters:
    ///   - page: The contents of the page.
    ///   - address: The address of the page.
    ///   - hint: A sentence for the end of the message, with a space before it.
    init(withoutMedia page: PageContents, at address: WebAddress, hint: String = "") {
        let site = address.redacted
        if page.namesProtection {
            self.init(
                .refused,
                "\(site) protects its media against copying (DRM), so offline cannot keep them. "
                    + "Look for another edition without protection."
            )
        } else if page.browserAddresses > 0 {
            self.init(
                .unsupported,
                "\(site) builds its stream in the browser and does not contain its address. Look "
                    + "for a download link, or paste the stream's address (.m3u8 or .mp4), which "
                    + "the browser's developer tools show under Network.\(hint)"
            )
        } else {
            let remedy =
                page.isComplete
                ? "" : " Only its beginning could be read, because its markup takes too long."
            let start = "\(site) is a web page without a video or sound that offline can find."
            let end =
                "\(remedy) Paste the address of the page that plays it, or of the media itself; "
                + "offline keeps media, not pages for reading.\(hint)"
            let feeds = page.entryFeeds.prefix(Self.listed).map { "offline follow \($0.text)" }
            self.init(
                .unsupported,
                start + end
                    + (feeds.isEmpty
                        ? ""
                        : " To keep the entries of its feed, use: "
                            + feeds.joined(separator: " or "))
            )
            // The addresses may contain secrets.
            redactedMessage = start + end
        }
    }

    /// Creates the error for a page with several media, with the command for each.
    package init(
        choosingFrom references: [MediaReference],
        at address: WebAddress,
        with command: SuggestedCommand
    ) {
        let candidates = references.compactMap(\.candidate)
        let start = "\(address.redacted) offers \(candidates.count) media. "
        let lines = candidates.prefix(Self.listed).enumerated().map { number, candidate in
            let height = candidate.height.map { ", \($0)p" } ?? ""
            return "\(number + 1). \(candidate.title) (\(candidate.format)\(height)): "
                + candidate.command(command)
        }
        let rest = candidates.count - lines.count
        let end = rest > 0 ? ["\(rest) more are on the page."] : []
        let namesPages = candidates.contains { $0.referrer != nil }
        let remedy =
            "Get the wanted one by its address" + command.reminder(namingReferrer: namesPages)
        self.init(
            .several,
            start + remedy + ":\n"
                + (lines + end).joined(separator: "\n")
        )
        // The addresses may contain secrets.
        redactedMessage = start + remedy + "."
    }

    /// Creates the error for an address that a page names as media but that leads to another page.
    package init(referenceToPage address: WebAddress) {
        self.init(
            .unsupported,
            "The page names \(address.redacted) as its media, but that is a web page, too. Paste "
                + "the address of the media itself."
        )
    }
}

extension MediaCandidate {
    /// Returns the command that downloads the candidate with the same options as the page.
    package func command(_ command: SuggestedCommand) -> String {
        // Many media servers send media only to their own pages.
        command.get(address, referrer: referrer)
    }
}
