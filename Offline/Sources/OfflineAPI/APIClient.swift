// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
package import OfflineStore
import TidingsHTTP

/// The client of the HTTP interface of a running server.
package struct APIClient: Sendable {
    private static let responseLimit = 64 << 20

    /// The address and token of the server.
    package let file: ServerFile
    private let base: WebAddress
    private let client: HTTPClient

    /// Creates a client, which sends nothing yet.
    ///
    /// - Parameters:
    ///   - file: The address and token of the server.
    ///   - patience: The time without a byte after which a request fails. Nil is the usual time.
    /// - Throws: `HTTPError` for an invalid address.
    package init(_ file: ServerFile, patience: Duration? = nil) throws {
        self.file = file
        base = try WebAddress(file.address)
        var configuration = HTTPClient.Configuration(addressPolicy: .any, userAgent: "offline")
        if let patience { configuration.stallTimeout = patience }
        client = HTTPClient(configuration)
    }

    /// Runs an operation in the server.
    ///
    /// - Throws: `RemoteError` with the message of an error response, and `HTTPError`.
    @discardableResult
    package func call<Service, Input, Output>(
        _ operation: APIOperation<Service, Input, Output>,
        _ input: Input
    ) async throws -> Output {
        let parts = try input.parts()
        let endpoint = operation.endpoint
        let query = parts.query.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(PercentEncoding.encode($0.value))" }
        let path = endpoint.path.path(with: parts.values)
        let address = query.isEmpty ? path : path + "?" + query.joined(separator: "&")
        var request = HTTPRequest(try base.resolving(address), method: endpoint.method)
        request.headers = [HTTPHeader("Authorization", "Bearer \(file.token)")]
        if endpoint.method != .get {
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
            if !parts.body.isEmpty { request.body = parts.body }
        }
        let (transfer, content) = try await client.fetch(request, limit: Self.responseLimit)
        guard transfer.head.isSuccess else {
            let failure = try? JSONCoding.decode(FailureJSON.self, from: content).error
            throw RemoteError(
                message: failure?.message
                    ?? "The running server returned status \(transfer.head.status). Restart it.",
                status: transfer.head.status
            )
        }
        // The response to a removal has no content.
        let json = content.isEmpty ? Data("{}".utf8) : Data(content)
        return try JSONFormat.decode(Output.self, from: json)
    }

    /// Runs an operation without an input in the server.
    @discardableResult
    package func call<Service, Output>(
        _ operation: APIOperation<Service, NoContent, Output>
    ) async throws -> Output {
        try await call(operation, NoContent())
    }

    /// Ends all requests.
    package func close() { client.close() }
}

/// Thrown with the message of an error response from the running server.
package struct RemoteError: Error {
    /// The fault and the remedy.
    package let message: String
    /// The status of the response, or nil without a response.
    package let status: Int?

    /// Creates an error.
    package init(message: String, status: Int? = nil) {
        self.message = message
        self.status = status
    }
}
