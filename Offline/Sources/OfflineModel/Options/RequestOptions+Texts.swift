// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsHTTP

extension RequestOptions {
    /// The options as strings, in the registry, in a stored request and in the API.
    package struct Texts: Hashable, Sendable, Codable {
        /// Headers, each as `Name: value`.
        package var headers: [String]?
        /// Cookies in the format of cookies.txt.
        package var cookies: String?
        /// The page that leads to the address.
        package var referrer: String?
        /// The address of the proxy.
        package var proxy: String?
        /// The checksum, such as `sha256:…`.
        package var checksum: String?
        /// The speed of the item's downloads, such as `2M`, or `none`.
        package var limit: String?

        /// Creates the strings of options.
        package init(
            headers: [String]? = nil,
            cookies: String? = nil,
            referrer: String? = nil,
            proxy: String? = nil,
            checksum: String? = nil,
            limit: String? = nil
        ) {
            self.headers = headers
            self.cookies = cookies
            self.referrer = referrer
            self.proxy = proxy
            self.checksum = checksum
            self.limit = limit
        }

        /// The number of bytes of all strings.
        var size: Int {
            let others = [cookies, referrer, proxy, checksum, limit].compactMap(\.self)
            return ((headers ?? []) + others).reduce(0) { $0 + $1.utf8.count }
        }
    }

    /// Parses strings.
    ///
    /// - Throws: `LibraryError` with `.invalidOption`, whose message contains no value.
    package init(_ texts: Texts) throws(LibraryError) {
        self.init()
        for line in texts.headers ?? [] { try add(headerLine: line) }
        cookies = try CookieFile(texts.cookies ?? "").cookies
        if let referrer = texts.referrer { try setReferrer(referrer) }
        do {
            proxy = try texts.proxy.map { text throws(HTTPError) in try HTTPProxy(text) }
        } catch {
            throw LibraryError(.invalidOption, error.message)
        }
        checksum = try texts.checksum.map { text throws(LibraryError) in try Checksum(text) }
        limit = try texts.limit.map { text throws(LibraryError) in
            guard let limit = SpeedLimit(rawValue: text) else {
                throw LibraryError(
                    .invalidOption,
                    "The speed limit cannot be read. Use \(SettingKey.limit.allowed)."
                )
            }
            return limit
        }
    }

    /// The options as strings.
    package var texts: Texts {
        Texts(
            headers: headers.isEmpty ? nil : headers.map { "\($0.name): \($0.value)" },
            cookies: cookies.isEmpty ? nil : CookieFile(cookies: cookies).text,
            referrer: referrer?.text,
            proxy: proxy?.text,
            checksum: checksum?.text,
            limit: limit?.rawValue
        )
    }

    private mutating func add(headerLine line: String) throws(LibraryError) {
        let header = try HTTPHeader(line: line)
        if header.name.lowercased() == "referer" {
            try setReferrer(header.value)
        } else {
            headers.append(header)
        }
    }

    private mutating func setReferrer(_ text: String) throws(LibraryError) {
        do {
            referrer = try WebAddress(text)
        } catch {
            throw LibraryError(
                .invalidOption,
                "The referrer is not a web address. Use --referrer https://…"
            )
        }
    }
}

extension RequestOptions.Texts: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// A constant, because all options may contain secrets.
    package var description: String { "options" }

    /// A constant, because all options may contain secrets.
    package var debugDescription: String { description }

    /// An empty mirror, because all options may contain secrets.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
