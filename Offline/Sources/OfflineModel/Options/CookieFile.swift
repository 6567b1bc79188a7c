// SPDX-License-Identifier: Apache-2.0

/// Cookies in the format of cookies.txt, with one cookie in each line and tabs between seven
/// fields.
package struct CookieFile: Hashable, Sendable {
    /// The maximum size of a file in bytes.
    package static let longestText = 4 << 20
    private static let hiddenPrefix = "#HttpOnly_"

    /// The cookies in order.
    package let cookies: [Cookie]

    /// Creates a file of cookies.
    package init(cookies: [Cookie]) {
        self.cookies = cookies
    }

    /// Parses the text of a file.
    ///
    /// - Throws: `LibraryError` with `.invalidOption`, which names the line and contains no value.
    package init(_ text: String) throws(LibraryError) {
        guard text.utf8.count <= Self.longestText else {
            throw LibraryError(
                .invalidOption,
                "The file with the cookies is larger than \(Self.longestText >> 20) MiB. Export "
                    + "only those of one site."
            )
        }
        var cookies: [Cookie] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let isHidden = line.hasPrefix(Self.hiddenPrefix)
            if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") && !isHidden { continue }
            guard let cookie = Cookie(isHidden ? line.dropFirst(Self.hiddenPrefix.count) : line)
            else {
                throw LibraryError(
                    .invalidOption,
                    "Line \(index + 1) of the cookies is not in the format of cookies.txt: domain, "
                        + "subdomains, path, secure, expiry, name and value, with tabs between "
                        + "them. Export the file again."
                )
            }
            cookies.append(cookie)
        }
        self.cookies = cookies
    }

    /// The text of the file.
    package var text: String {
        cookies.map { cookie in
            [
                (cookie.includesSubdomains ? "." : "") + cookie.domain,
                cookie.includesSubdomains ? "TRUE" : "FALSE", cookie.path,
                cookie.isSecure ? "TRUE" : "FALSE", "\(cookie.expiry ?? 0)", cookie.name,
                cookie.value,
            ].joined(separator: "\t") + "\n"
        }.joined()
    }
}

extension Cookie {
    /// Parses a line of a file, or returns nil for a malformed line.
    fileprivate init?(_ line: Substring) {
        var fields = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false)
        // A cookie with an empty value may lack the last tab.
        if fields.count == 6 { fields.append("") }
        guard fields.count == 7, let includesSubdomains = Self.flag(fields[1]),
            let isSecure = Self.flag(fields[3]), let expiry = Double(fields[4]), expiry.isFinite
        else { return nil }
        self.init(
            host: String(fields[0]),
            includesSubdomains: includesSubdomains,
            path: String(fields[2]),
            isSecure: isSecure,
            expiry: expiry > 0 ? Int64(min(expiry, 1e15)) : nil,
            name: String(fields[5]),
            value: String(fields[6])
        )
    }

    /// Creates a cookie, or returns nil if a value has the wrong form or cannot stand in a header.
    package init?(
        host: String,
        includesSubdomains: Bool,
        path: String,
        isSecure: Bool,
        expiry: Int64?,
        name: String,
        value: String
    ) {
        let domain = (host.hasPrefix(".") ? host.dropFirst() : host[...]).lowercased()
        let texts = [domain, path, name, value]
        guard !domain.isEmpty, path.hasPrefix("/"), domain.allSatisfy(\.isASCII),
            texts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }),
            !name.contains(where: { ";=, ".contains($0) }), !value.contains(";")
        else { return nil }
        self.init(
            domain: domain,
            includesSubdomains: includesSubdomains,
            path: path,
            isSecure: isSecure,
            expiry: expiry,
            name: name,
            value: value
        )
    }

    private static func flag(_ text: Substring) -> Bool? {
        switch text.uppercased() {
        case "TRUE": true
        case "FALSE": false
        default: nil
        }
    }
}
