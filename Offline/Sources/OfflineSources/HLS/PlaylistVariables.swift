// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import Tidings
import TidingsHTTP

/// The variables of a playlist (EXT-X-DEFINE), and the replacement of references to variables.
///
/// A reference is `{$name}`. Replaced text is not searched for further references, and the limits
/// bound this text, so that a playlist cannot multiply its own length without end.
struct PlaylistVariables {
    /// The values by name.
    private(set) var values: [String: String] = [:]
    private let base: WebAddress
    /// The variables of the master playlist, or nil in a master playlist and without one.
    private let imported: [String: String]?
    private let limits: PlaylistLimits
    private var expandedBytes = 0

    /// Creates an empty set of variables for the playlist at an address.
    init(base: WebAddress, imported: [String: String]?, limits: PlaylistLimits) {
        self.base = base
        self.imported = imported
        self.limits = limits
    }

    /// Applies an EXT-X-DEFINE tag.
    ///
    /// - Throws: `.undefinedVariable` if the address or the master playlist lacks the value.
    mutating func define(_ tag: PlaylistTag) throws(PlaylistError) {
        let attributes = try tag.attributes()
        let (name, value) = try definition(attributes, tag)
        guard !name.isEmpty, name.utf8.allSatisfy(AttributeList.isNameByte) else {
            throw tag.invalid("has an invalid name")
        }
        guard values[name] == nil || values[name] == value else {
            throw tag.invalid("defines the variable “\(name.prefix(40))” again with another value")
        }
        guard values.count < limits.variables else {
            throw PlaylistError(
                .tooLarge,
                "The playlist defines more than \(limits.variables) variables, the limit."
            )
        }
        values[name] = value
    }

    /// Returns a string with the values instead of the references.
    ///
    /// - Throws: `.undefinedVariable`, and `.tooLarge` if the string or the total length of all
    ///   strings exceeds a limit.
    mutating func expand(_ text: Substring, at number: Int) throws(PlaylistError) -> Substring {
        guard text.contains("{$") else { return text }
        var result = ""
        var rest = text
        while let (before, name, after) = Self.nextReference(in: rest) {
            guard let value = values[String(name)] else {
                throw Self.undefined(name, "is not defined", at: number)
            }
            result += before
            result += value
            rest = after
            guard result.utf8.count <= limits.lineBytes else { throw tooLong(number) }
        }
        result += rest
        expandedBytes += result.utf8.count
        guard result.utf8.count <= limits.lineBytes, expandedBytes <= limits.addressBytes else {
            throw tooLong(number)
        }
        return result[...]
    }

    private func definition(
        _ attributes: AttributeList,
        _ tag: PlaylistTag
    ) throws(PlaylistError) -> (name: String, value: String) {
        if let name = attributes["NAME"] {
            guard let value = attributes["VALUE"] else { throw tag.invalid("has no VALUE") }
            return (name, value)
        }
        if let name = attributes["IMPORT"] {
            guard let value = imported?[name] else {
                throw Self.undefined(
                    name[...],
                    "is not defined in a master playlist before",
                    at: tag.number
                )
            }
            return (name, value)
        }
        guard let name = attributes["QUERYPARAM"] else {
            throw tag.invalid("has neither NAME, IMPORT nor QUERYPARAM")
        }
        guard let value = parameter(name), !value.isEmpty else {
            throw Self.undefined(
                name[...],
                "is missing in the query of the playlist's address",
                at: tag.number
            )
        }
        guard value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\"" }) else {
            throw tag.invalid("names a parameter with characters that no playlist may contain")
        }
        return (name, value)
    }

    /// Returns the decoded value of a parameter in the query of the playlist's address.
    private func parameter(_ name: String) -> String? {
        for pair in base.query?.split(separator: "&") ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0].removingPercentEncoding == name else { continue }
            return parts.count == 1 ? "" : parts[1].removingPercentEncoding
        }
        return nil
    }

    private static func nextReference(
        in text: Substring
    ) -> (before: Substring, name: Substring, after: Substring)? {
        var rest = text
        while let start = rest.firstRange(of: "{$") {
            let name = rest[start.upperBound...].prefix { $0 != "}" }
            guard !name.isEmpty, name.utf8.allSatisfy(AttributeList.isNameByte),
                name.endIndex < text.endIndex
            else {
                rest = rest[start.upperBound...]
                continue
            }
            let after = text[text.index(after: name.endIndex)...]
            return (text[..<start.lowerBound], name, after)
        }
        return nil
    }

    private static func undefined(
        _ name: Substring,
        _ problem: String,
        at number: Int
    ) -> PlaylistError {
        PlaylistError(
            .undefinedVariable,
            "The playlist is invalid at line \(number): the variable “\(name.prefix(40))” "
                + "\(problem). Use the address that the site's own player uses, or contact its "
                + "publisher."
        )
    }

    private func tooLong(_ number: Int) -> PlaylistError {
        PlaylistError(
            .tooLarge,
            "The variables in line \(number) of the playlist make it longer than the limit."
        )
    }
}
