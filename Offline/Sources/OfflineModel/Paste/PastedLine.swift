// SPDX-License-Identifier: Apache-2.0

/// One line of a pasted text, as a sequence of the parts that are meant as addresses.
struct PastedLine {
    typealias Scalars = ArraySlice<Unicode.Scalar>

    private let isOneWord: Bool
    private var words: [Scalars]
    private var word: Scalars = []
    /// Whether nothing has been removed from the current word yet.
    private var isWordWhole = false

    init(_ line: Substring) {
        let scalars = Array(line.unicodeScalars).drop { scalar in
            scalar.properties.isWhitespace || Self.isMark(scalar)
        }
        // A line with only one address may contain brackets and quotes, which the client encodes
        // for servers.
        let whole = Self.words(of: scalars, between: Self.isOuterDelimiter)
        if whole.count == 1, PastedCandidate.webScheme(at: scalars.startIndex, in: scalars) {
            words = whole.map { word in
                var rest = word
                while let last = rest.last, Self.isDelimiter(last) { rest.removeLast() }
                return rest
            }
        } else {
            words = Self.words(of: scalars, between: Self.isDelimiter)
        }
        isOneWord = words.count == 1
        words.reverse()
    }

    private static func words(
        of line: Scalars,
        between isDelimiter: (Unicode.Scalar) -> Bool
    ) -> [Scalars] {
        line.split(whereSeparator: isDelimiter).map(withoutOuterMarks).filter { !$0.isEmpty }
    }

    /// Removes and returns the next part of the line that is meant as an address.
    mutating func next() -> PastedCandidate? {
        while true {
            if !word.isEmpty, let candidate = nextInWord() { return candidate }
            guard let next = words.popLast() else { return nil }
            word = next
            isWordWhole = true
        }
    }

    private mutating func nextInWord() -> PastedCandidate? {
        defer { isWordWhole = false }
        let start = PastedCandidate.webScheme(in: word)
        if let foreign = foreignScheme(upTo: start ?? word.endIndex) {
            defer { word = [] }
            return .written(Self.text(word[foreign...]))
        }
        guard let start else {
            defer { word = [] }
            return isWordWhole ? bareAddress() : nil
        }
        let opener = start > word.startIndex ? word[start - 1] : nil
        let end = Self.addressEnd(in: word[start...], after: opener)
        let isWhole = isOneWord && start == word.startIndex && end == word.endIndex
        let address = word[start..<end]
        word = word[end...]
        return .written(
            Self.text(
                isWhole ? Self.withoutSeparators(address) : Self.trimmed(address, after: opener)
            )
        )
    }

    /// Returns the beginning of a scheme that is not fetched, even if http follows in the word.
    private func foreignScheme(upTo end: Int) -> Int? {
        word[..<end].indices.first { index in
            let isStart = index == word.startIndex || Self.isOpener(word[index - 1])
            return isStart && PastedCandidate.hasForeignScheme(word[index...])
        }
    }

    /// Returns the current word as an address without a scheme, or nil for another word.
    private func bareAddress() -> PastedCandidate? {
        let whole = Self.text(Self.withoutSeparators(word))
        // A numeric host may start with a bracket.
        if isOneWord, PastedCandidate.isBareAddress(whole, isWholeLine: true) {
            return .bare(whole)
        }
        let inner = word.drop(while: Self.isOpener)
        let opener = inner.startIndex > word.startIndex ? word[inner.startIndex - 1] : nil
        let text = Self.text(Self.trimmed(inner, after: opener))
        return PastedCandidate.isBareAddress(text, isWholeLine: isOneWord) ? .bare(text) : nil
    }

    // MARK: The end of an address

    /// Returns the end of an address that starts after a character such as a bracket.
    private static func addressEnd(in rest: Scalars, after opener: Unicode.Scalar?) -> Int {
        var open: [Unicode.Scalar] = []
        for index in rest.indices {
            let scalar = rest[index]
            if closers[scalar] != nil {
                open.append(scalar)
            } else if let pair = closers.first(where: { $0.value == scalar })?.key {
                if open.last == pair {
                    open.removeLast()
                } else if opener == pair {
                    return index
                }
            } else if separators.contains(scalar),
                PastedCandidate.webScheme(at: index + 1, in: rest)
            {
                return index
            }
        }
        return rest.endIndex
    }

    /// Returns an address without final punctuation that ends a sentence or closes an earlier
    /// bracket or mark.
    private static func trimmed(_ address: Scalars, after opener: Unicode.Scalar?) -> Scalars {
        var rest = address
        var balance: [Unicode.Scalar: Int] = [:]
        for scalar in address { balance[scalar, default: 0] += 1 }
        while let last = rest.last {
            let pair = closers.first { $0.value == last }?.key
            let isUnpaired = pair.map { balance[last, default: 0] > balance[$0, default: 0] }
            let isEnd = sentenceEnds.contains(last) || markup.contains(last) && last == opener
            guard isUnpaired ?? isEnd else { break }
            balance[last, default: 0] -= 1
            rest.removeLast()
        }
        return rest
    }

    private static func withoutSeparators(_ address: Scalars) -> Scalars {
        var rest = address
        while let last = rest.last, separators.contains(last) { rest.removeLast() }
        return rest
    }

    // MARK: Characters

    private static let closers: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]", "{": "}"]
    private static let markup: Set<Unicode.Scalar> = ["*", "_", "~", "'", "|"]
    private static let separators: Set<Unicode.Scalar> = [",", ";", "|"]
    private static let sentenceEnds: Set<Unicode.Scalar> = [".", ",", ";", ":", "!", "?", "|"]
    /// Characters that no address contains, although people write these directly beside an address.
    private static let delimiters = Set(
        "<>\"`“”„‟«»‹›‘’‚…。、，；：！？（）「」『』【】《》〈〉".unicodeScalars
    )

    private static func isOpener(_ scalar: Unicode.Scalar) -> Bool {
        closers[scalar] != nil || markup.contains(scalar)
    }

    private static func isDelimiter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || delimiters.contains(scalar)
    }

    /// Returns whether a character ends even a line with only one address.
    private static func isOuterDelimiter(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && delimiters.contains(scalar) || scalar.properties.isWhitespace
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .format
    }

    /// Returns a word without the invisible marks that a copy from formatted text adds around it.
    private static func withoutOuterMarks(_ word: Scalars) -> Scalars {
        var rest = word.drop(while: isMark)
        while let last = rest.last, isMark(last) { rest.removeLast() }
        return rest
    }

    private static func text(_ scalars: Scalars) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
