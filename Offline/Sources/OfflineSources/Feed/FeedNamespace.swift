// SPDX-License-Identifier: Apache-2.0

/// The vocabulary of an element in a feed.
enum FeedNamespace {
    case rss
    case atom
    case itunes
    case media
    case syndication
    case dublinCore
    case other

    /// Returns the vocabulary and the name of an element, including elements whose prefix the
    /// document does not declare.
    static func split(_ name: String, in space: String) -> (FeedNamespace, String) {
        guard space.isEmpty, let colon = name.firstIndex(of: ":") else {
            return (FeedNamespace(address: space), name)
        }
        return (FeedNamespace(prefix: name[..<colon]), String(name[name.index(after: colon)...]))
    }

    private init(address: String) {
        self =
            switch address {
            case "", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
                "http://backend.userland.com/rss2", "http://blogs.law.harvard.edu/tech/rss":
                .rss
            case "http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#": .atom
            case "http://purl.org/rss/1.0/modules/syndication/": .syndication
            case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/": .dublinCore
            case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss": .media
            case let address where address.lowercased().hasSuffix("/dtds/podcast-1.0.dtd"): .itunes
            default: .other
            }
    }

    private init(prefix: Substring) {
        self =
            switch prefix {
            case "itunes": .itunes
            case "media": .media
            case "atom": .atom
            case "sy": .syndication
            case "dc": .dublinCore
            default: .other
            }
    }
}
