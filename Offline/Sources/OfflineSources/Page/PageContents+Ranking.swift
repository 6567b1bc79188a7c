// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

extension PageContents {
    /// The maximum number of candidates.
    static let candidateLimit = 64

    /// Resolves, merges and ranks the findings of a page.
    init(_ findings: PageFindings, at address: WebAddress) {
        let base = findings.base.flatMap { try? address.resolving($0) } ?? address
        let resolve: (String) -> WebAddress? = { try? base.resolving($0) }
        self.init()
        title = Self.title(of: findings)
        picture = findings.picture.flatMap(resolve)
        players = findings.players.compactMap(resolve).filter { $0 != address }
        feeds = findings.feeds.compactMap(resolve)
        browserAddresses = findings.browserAddresses
        namesProtection = findings.namesProtection
        var list = CandidateList()
        for group in findings.groups { list.add(group, resolve) }
        list.mergeDescriptions()
        list.add(findings.looseTexts, resolve)
        candidates = Array(list.ranked().prefix(Self.candidateLimit))
    }

    /// The media of the page without advertisements, unless the page has only advertisements.
    var choices: [PageCandidate] {
        let media = candidates.filter { !$0.isDecoration }
        return media.isEmpty ? candidates : media
    }

    private static func title(of findings: PageFindings) -> String? {
        for kind in PageFindings.Title.allCases {
            guard let text = findings.titles[kind] else { continue }
            let title = Title(line: withoutSite(text, findings.site), fallback: "").text
            if !title.isEmpty { return title }
        }
        return nil
    }

    /// Returns the title without the name of the site at the end.
    private static func withoutSite(_ title: String, _ site: String?) -> String {
        guard let site, !site.isEmpty else { return title }
        for separator in [" | ", " - ", " – ", " — ", " · ", " • ", " :: "]
        where title.hasSuffix(separator + site) {
            return String(title.dropLast(separator.count + site.count))
        }
        return title
    }
}
