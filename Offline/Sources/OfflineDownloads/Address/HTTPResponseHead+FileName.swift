// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import TidingsHTTP

extension HTTPResponseHead {
    /// The title in the name that the server gives to the file (RFC 6266), or nil without a name.
    ///
    /// The title is the last part of a path, without the extension. The library never uses this
    /// title as the name of a file.
    var titleOfFile: String? {
        guard let field = headers.first("Content-Disposition") else { return nil }
        let parameters = Self.parameters(field)
        let names = [
            parameters["filename*"].flatMap(Self.decoded),
            parameters["filename"].map(Self.plain),
        ]
        return names.lazy.compactMap { $0 }.map(Self.title).first { !$0.isEmpty }
    }

    private static func title(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        return Title(String(last), fallback: "").text
    }

    /// Returns the first value of each parameter by the lowercase name of the parameter.
    private static func parameters(_ field: String) -> [String: String] {
        var parameters: [String: String] = [:]
        var rest = field[...].drop { $0 != ";" }
        while rest.popFirst() != nil {
            let name = rest.prefix { !"=;".contains($0) }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop { $0.isWhitespace }
            let value = rest.first == "\"" ? quoted(&rest) : String(rest.prefix { $0 != ";" })
            rest = rest.drop { $0 != ";" }
            let key = name[...].trimmingSpaces.lowercased()
            parameters[key] = parameters[key] ?? String(value[...].trimmingSpaces)
        }
        return parameters
    }

    /// Removes a quoted string from the start of the rest and returns the unquoted text.
    ///
    /// Some servers send a Windows path in a quoted string, so the backslash escapes only quotation
    /// marks and backslashes.
    private static func quoted(_ rest: inout Substring) -> String {
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                rest = rest.dropFirst()
                value.append(next)
            } else {
                value.append(character)
            }
        }
        return value
    }

    /// Returns the text of an extended value (RFC 8187), or nil if the value is not an extended
    /// value.
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = percentDecoded(parts[2]) else { return nil }
        return switch parts[0].lowercased() {
        case "utf-8": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: nil
        }
    }

    private static func percentDecoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// Returns a plain name.
    ///
    /// Some servers percent-encode the name, which browsers accept contrary to the standard.
    private static func plain(_ name: String) -> String {
        name.contains(" ") ? name : name.removingPercentEncoding ?? name
    }
}
