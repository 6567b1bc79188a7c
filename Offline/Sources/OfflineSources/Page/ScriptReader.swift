// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// Finds the media in scripts, in JSON and in the settings of players.
///
/// Every object is a group of statements. Objects below a name such as `sources` belong to the
/// surrounding group. The scanner depends on names that players share, not on certain players.
struct ScriptReader {
    /// The maximum depth of objects.
    ///
    /// A deeper object belongs to the object at this depth.
    private static let depthLimit = 64

    let isStructuredData: Bool
    let nesting: Int
    var frames = [ScriptFrame()]
    var groups: [PageFindings.Group] = []
    var players: [String] = []
    var browserAddresses = 0
    var namesProtection = false

    private init(isStructuredData: Bool, nesting: Int) {
        self.isStructuredData = isStructuredData
        self.nesting = nesting
    }

    /// Reads JSON-LD or any script.
    ///
    /// - Returns: The reader with the findings.
    static func read(_ bytes: [UInt8], isStructuredData: Bool = false) -> ScriptReader {
        read(bytes, isStructuredData, nesting: 0)
    }

    static func read(
        _ bytes: [UInt8],
        _ isStructuredData: Bool,
        nesting: Int
    ) -> ScriptReader {
        var reader = ScriptReader(isStructuredData: isStructuredData, nesting: nesting)
        reader.readTokens(bytes)
        if reader.groups.isEmpty { reader.readAddresses(bytes) }
        return reader
    }

    /// Returns the chapters of a JSON file, such as the chapter file of a podcast.
    static func chapters(_ bytes: [UInt8]) -> [Chapter] {
        var reader = ScriptReader(isStructuredData: false, nesting: 0)
        (reader.frames[0].key, reader.frames[0].isArray) = ("chapters", true)
        reader.readTokens(bytes)
        return Chapter.list(reader.looseTexts.marks)
    }

    private mutating func readTokens(_ bytes: [UInt8]) {
        var tokens = ScriptTokens(bytes)
        var name: String?
        var previous: ScriptTokens.Token?
        while let token = tokens.token() {
            if case .mark(let mark) = token {
                switch (mark, previous) {
                case (UInt8(ascii: ":"), .string(let text)?), (UInt8(ascii: ":"), .word(let text)?),
                    (UInt8(ascii: "="), .word(let text)?):
                    name = text
                    previous = nil
                    continue
                default:
                    if let previous { take(previous, named: name) }
                    name = processMark(mark, named: name, after: previous)
                    previous = nil
                }
            } else {
                if let previous { take(previous, named: name) }
                previous = token
            }
        }
        if let previous { take(previous, named: name) }
        while frames.count > 1 { close() }
        close()
    }

    /// Returns the name for the next value.
    private mutating func processMark(
        _ mark: UInt8,
        named name: String?,
        after previous: ScriptTokens.Token?
    ) -> String? {
        switch mark {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            open(isArray: mark == UInt8(ascii: "["), named: name)
            return nil
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if frames.count > 1 { close() }
            return nil
        case UInt8(ascii: "("):
            guard case .word(let function)? = previous else { return nil }
            return function
        case UInt8(ascii: ","), UInt8(ascii: ";"):
            return nil
        default:
            return name
        }
    }

    private mutating func open(isArray: Bool, named name: String?) {
        let parent = frames[frames.count - 1]
        let key = (name ?? (parent.isArray ? parent.key : nil))?.lowercased() ?? ""
        if ScriptNames.protection.contains(key) { namesProtection = true }
        var frame = ScriptFrame()
        frame.isArray = isArray
        frame.key = key
        frame.firstGroup = groups.count
        frame.sharesGroup =
            ScriptNames.qualities.contains(key) || (parent.isArray && parent.sharesGroup)
            // The names of the objects in `cdns` are names of servers for one form.
            || parent.key == "cdns" || frames.count >= Self.depthLimit
        frame.isDecoration = parent.isDecoration || ScriptNames.advertising.contains(key)
        frames.append(frame)
    }

    /// Ends the innermost object.
    ///
    /// The media join the surrounding group, or become a new group.
    private mutating func close() {
        var frame = frames.removeLast()
        frame.finishTexts()
        frame.finishAddresses(isStructuredData: isStructuredData)
        if frame.isDecoration { frame.texts = StatedTexts() }
        guard frame.sharesGroup, var parent = frames.popLast() else {
            if frames.isEmpty { frames.append(ScriptFrame()) }
            guard !frame.media.isEmpty else { return handOver(frame.texts, from: frame.firstGroup) }
            guard groups.count < PageFindings.limit else { return }
            let place: PageCandidate.Place = isStructuredData ? .structuredData : .script
            groups.append(
                PageFindings.Group(
                    place: place,
                    media: frame.media,
                    title: frame.title,
                    picture: frame.picture,
                    duration: frame.duration,
                    texts: frame.texts,
                    isDecoration: frame.isDecoration
                )
            )
            return
        }
        parent.media += frame.media
        parent.title = parent.title ?? frame.title
        parent.picture = parent.picture ?? frame.picture
        parent.duration = parent.duration ?? frame.duration
        parent.texts.add(frame.texts)
        frames.append(parent)
    }

    /// Moves the subtitles and chapters of an object without media to the only group in the object,
    /// or else to the surrounding object.
    private mutating func handOver(_ texts: StatedTexts, from first: Int) {
        guard !texts.isEmpty else { return }
        let inner = groups.indices.dropFirst(first).filter { !groups[$0].isDecoration }
        if inner.count == 1 {
            groups[inner[0]].texts.add(texts)
        } else {
            frames[frames.count - 1].texts.add(texts)
        }
    }

    /// The subtitles and chapters that do not belong to any of the groups.
    var looseTexts: StatedTexts { frames[0].texts }
}
