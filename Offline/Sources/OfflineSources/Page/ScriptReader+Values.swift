// SPDX-License-Identifier: Apache-2.0

extension ScriptReader {
    /// The maximum depth of JSON inside strings of JSON.
    private static let nestingLimit = 2

    /// Stores a string, a number or a word as the value of a name.
    mutating func take(_ token: ScriptTokens.Token, named name: String?) {
        let last = frames.count - 1
        // The key is the last part of a name such as `hls.loadSource`.
        let path = name ?? (frames[last].isArray ? frames[last].key : "")
        let key = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        switch token {
        case .word(let word):
            frames[last].take(number: word, named: key)
        case .string(let text):
            guard !text.isEmpty else { return }
            if text.hasPrefix("com."), ScriptNames.systems.contains(text) {
                namesProtection = true
            }
            if text.hasPrefix("blob:"), text.utf8.count > 5 { browserAddresses += 1 }
            if key == "embedurl" { players.append(text) }
            if readNested(text) { return }
            if ScriptNames.pictures.contains(key), frames[last].isArray, last > 0 {
                frames[last - 1].picture = frames[last - 1].picture ?? text
            }
            let isLoose = name == nil && frames[last].isArray && !frames[last].sharesGroup
            guard let finding = frames[last].take(text, named: key), isLoose else { return }
            frames[last].media.removeLast()
            guard groups.count < PageFindings.limit else { return }
            groups.append(PageFindings.Group(place: .script, media: [finding]))
        case .mark:
            break
        }
    }

    /// Reads a string that contains JSON or a script.
    private mutating func readNested(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count >= 16, nesting < Self.nestingLimit,
            bytes.contains(0x22) || bytes.contains(0x27),
            bytes.contains(0x7b) || bytes.contains(0x5b) || bytes.contains(0x0a)
        else { return false }
        let inner = Self.read(Array(bytes), isStructuredData, nesting: nesting + 1)
        groups += inner.groups.prefix(max(0, PageFindings.limit - groups.count))
        frames[frames.count - 1].texts.add(inner.looseTexts)
        players += inner.players
        browserAddresses += inner.browserAddresses
        namesProtection = namesProtection || inner.namesProtection
        return true
    }

    /// Finds addresses in a script whose quotation marks are ambiguous, for example because of
    /// regular expressions.
    mutating func readAddresses(_ bytes: [UInt8]) {
        for text in ScriptAddresses(bytes) where groups.count < PageFindings.limit {
            guard let finding = PageFindings.Finding(text) else { continue }
            groups.append(PageFindings.Group(place: .script, media: [finding]))
        }
    }
}
