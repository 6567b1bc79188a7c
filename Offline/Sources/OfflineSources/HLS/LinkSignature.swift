// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// The parts of a query that permit access to a file for some time, and do not name the file.
enum LinkSignature {
    /// The names of parameters that content networks and players use for signatures only.
    private static let names: Set<String> = [
        "access_token", "auth", "authorization", "exp", "expire", "expires", "expiry", "hdnea",
        "hdntl", "hdnts", "hmac", "jwt", "key-pair-id", "keypairid", "nonce", "policy", "session",
        "session_id", "sessionid", "sig", "sign", "signature", "ske", "skoid", "sks", "skt",
        "sktid", "skv", "tok", "token", "urlsig", "wmsauthsign",
    ]
    /// Names of signatures that may also number segments or versions.
    private static let ambiguousNames: Set<String> = [
        "e", "hash", "md5", "se", "sid", "sp", "sr", "st", "sv", "t", "ts", "verify",
    ]
    private static let prefixes = ["x-amz-", "x-goog-", "x-ms-"]
    /// The smallest number that is a time rather than a count.
    private static let leastTime = 1_000_000_000
    /// The smallest length of a value without words that is a random token.
    private static let tokenLength = 24

    /// Returns the query without signatures, or nil if nothing is left.
    static func unsignedQuery(of address: WebAddress) -> String? {
        guard let start = address.text.firstIndex(of: "?") else { return nil }
        let parameters = address.text[address.text.index(after: start)...].split(separator: "&")
        let kept = parameters.filter { !isSignature($0) }
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }

    /// Returns the query without parameters that have the name of a signature, or nil if nothing is
    /// left.
    ///
    /// Unlike `unsignedQuery`, this method keeps every parameter that may name a file, including a
    /// parameter with a random value. In a query without a certain signature, the method also keeps
    /// parameters with an ambiguous name.
    static func queryWithoutNamedSignatures(of address: WebAddress) -> String? {
        let parameters = address.query?.split(separator: "&") ?? []
        let isSigned = parameters.contains { isNamedSignature(name(of: $0)) }
        let kept = parameters.filter { parameter in
            let name = name(of: parameter)
            if isNamedSignature(name) { return false }
            return !(isSigned && ambiguousNames.contains(name) && isSignature(parameter))
        }
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }

    private static func name(of parameter: Substring) -> String {
        parameter.prefix { $0 != "=" }.lowercased()
    }

    private static func isNamedSignature(_ name: String) -> Bool {
        names.contains(name) || prefixes.contains(where: name.hasPrefix)
    }

    private static func isSignature(_ parameter: Substring) -> Bool {
        let name = name(of: parameter)
        let value = parameter.dropFirst(name.count + 1)
        if isNamedSignature(name) { return true }
        guard ambiguousNames.contains(name) else { return isToken(value) }
        return DecimalNumber.integer(value).map { $0 >= leastTime } ?? true
    }

    /// Returns whether a value is long and mixes digits and letters as random text does.
    private static func isToken(_ value: Substring) -> Bool {
        guard value.utf8.count >= tokenLength else { return false }
        return value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
            && !value.contains { "./".contains($0) }
    }
}
