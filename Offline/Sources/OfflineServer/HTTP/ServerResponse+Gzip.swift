// SPDX-License-Identifier: Apache-2.0
import COfflineGzip

extension ServerResponse {
    /// The minimum size in bytes of a compressed body.
    ///
    /// A smaller body fits in a few packets.
    static let compressedSize = 2_048

    /// The types of the API's responses and of the page's own files.
    private static let compressedTypes = [
        "application/json", "text/javascript", "text/css", "text/html", "image/svg+xml",
    ]

    /// Returns the response with a compressed body if the client accepts gzip and the body is text
    /// of some size.
    ///
    /// The size of a compressed body reveals whether a secret in the body equals other text beside
    /// the secret (BREACH). The API never returns a token together with other text. The only
    /// response that admits a client is the response of `/api/tickets`, which is too small to be
    /// compressed. No response contains the headers, cookies or proxy of an item. A page of another
    /// site can neither send a request that the guard admits nor see the size of the response.
    func compressed(for request: ServerRequest) -> ServerResponse {
        guard case .bytes(let bytes) = body, bytes.count >= Self.compressedSize,
            let type = header("Content-Type")?.prefix(while: { $0 != ";" }),
            Self.compressedTypes.contains(where: { $0 == type }),
            request.acceptsGzip, let packed = Self.gzip(bytes)
        else { return self }
        var response = self
        response.body = .bytes(packed)
        response.headers.append((name: "Content-Encoding", value: "gzip"))
        response.headers.append((name: "Vary", value: "Accept-Encoding"))
        return response
    }

    /// Returns the compressed form, or nil if memory is short.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let capacity = offline_gzip_bound(bytes.count)
        let packed = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = offline_gzip(bytes, bytes.count, buffer.baseAddress, capacity)
        }
        return packed.isEmpty ? nil : packed
    }
}

extension ServerRequest {
    /// Whether `Accept-Encoding` names gzip, or any encoding, with a weight other than 0.
    var acceptsGzip: Bool {
        let wishes = headers(named: "accept-encoding").joined(separator: ",").lowercased()
            .split(separator: ",").map { $0.split(separator: ";").map(\.trimmingSpaces) }
        let wish =
            wishes.first { $0.first == "gzip" || $0.first == "x-gzip" }
            ?? wishes.first { $0.first == "*" }
        guard let wish else { return false }
        return !wish.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
    }
}
