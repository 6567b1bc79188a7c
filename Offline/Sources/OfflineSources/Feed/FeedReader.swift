// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import TidingsHTTP

/// Collects the entries of a feed from the parts of the document.
struct FeedReader: XMLHandler {
    /// A value that the text of an element states.
    enum Field {
        case feedTitle
        case title(isMarkup: Bool)
        case guid
        case link
        case date(FeedDraft.DateRank)
        case minutes
        case updatePeriod
        case updateFrequency
        case location
        case picture
    }

    /// An open element.
    struct Level {
        let name: String
        /// The address against which references in the element resolve.
        let base: WebAddress
    }

    /// The title of the feed.
    var title = ""
    /// The picture of the feed.
    var picture: WebAddress?
    /// The entries in the order of the document.
    private(set) var drafts: [FeedDraft] = []
    /// Whether the outermost element belongs to a feed.
    private(set) var isRecognized = false
    /// Whether the outermost element belongs to another kind of document.
    private(set) var isOther = false
    private(set) var hasTooManyEntries = false
    /// Whether the outermost element belongs to a playlist.
    private(set) var isPlaylist = false
    /// The feeds that a list of feeds names, up to a limit, and the number of all feeds in the
    /// list.
    var listed: (feeds: [WebAddress], count: Int) = ([], 0)
    /// The elements in which the feed asks for a time between two checks.
    var pace = FeedPace()
    /// The open entry.
    var draft: FeedDraft?
    private(set) var levels: [Level] = []
    /// Resolves the references.
    var resolver: FeedResolver
    let limits: FeedLimits
    private let address: WebAddress
    private var field: (value: Field, depth: Int)?
    private var entryDepth = 0
    private var collected: [UInt8] = []

    init(at address: WebAddress, limits: FeedLimits) {
        self.address = address
        self.limits = limits
        resolver = FeedResolver(limits)
    }

    /// The time between two checks that the feed asks for.
    var period: Duration? { pace.period }
    var readsText: Bool { field != nil }
    /// The address against which references in the innermost element resolve.
    var base: WebAddress { levels.last?.base ?? address }
    /// Whether the innermost element is a direct child of the entry.
    var isInEntry: Bool { levels.count == entryDepth + 1 }

    mutating func start(_ element: XMLTree, in space: String) throws(XMLError) {
        let (vocabulary, name) = FeedNamespace.split(element.name, in: space)
        if levels.isEmpty { try recognize(name) }
        if resolver.isExhausted { throw XMLError(.tooLarge, "The feed has too many references.") }
        let parent = levels.last?.name ?? ""
        levels.append(Level(name: name, base: base(of: element)))
        // Markup in a title is part of the title.
        guard field == nil else { return }
        if name == "outline", levels.first?.name == "opml" { return readOutline(element) }
        if draft == nil, isEntry(vocabulary, name) { return try begin(element) }
        readPicture(element, vocabulary, name: name, in: parent)
        let found =
            draft == nil
            ? feedField(vocabulary, name: name, in: parent) : read(element, vocabulary, name: name)
        guard let found else { return }
        field = (found, levels.count)
        collected = []
    }

    mutating func text(_ text: String) {
        let free = limits.textBytes + 1 - collected.count
        if free > 0 { collected.append(contentsOf: text.utf8.prefix(free)) }
    }

    mutating func end() {
        if let (value, depth) = field, depth == levels.count {
            field = nil
            set(value, String(decoding: collected, as: UTF8.self))
        }
        if let draft, levels.count == entryDepth {
            drafts.append(draft)
            self.draft = nil
        }
        levels.removeLast()
    }

    private mutating func recognize(_ name: String) throws(XMLError) {
        isRecognized = ["rss", "feed", "RDF", "playlist", "opml"].contains(name)
        isOther = !isRecognized
        isPlaylist = name == "playlist"
        if isOther { throw XMLError(.malformed, "The document is no feed.") }
    }

    private func isEntry(_ vocabulary: FeedNamespace, _ name: String) -> Bool {
        switch (vocabulary, name) {
        case (.rss, "item"), (.atom, "entry"), (.other, "item"): true
        // This feed does not declare a namespace.
        case (.rss, "entry"): levels.first?.name == "feed"
        case (_, "track"): isPlaylist
        default: false
        }
    }

    private mutating func begin(_ element: XMLTree) throws(XMLError) {
        guard drafts.count < limits.entries else {
            hasTooManyEntries = true
            throw XMLError(.tooLarge, "The feed has too many entries.")
        }
        entryDepth = levels.count
        draft = FeedDraft()
        // RSS 1.0 states the identifier of an entry in this attribute.
        if let about = element["rdf:about"] { set(.guid, about) }
    }

    private mutating func base(of element: XMLTree) -> WebAddress {
        element["xml:base"].flatMap { resolver.resolve($0, against: base) } ?? base
    }
}
