// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP
import TidingsLock

/// The decryption keys of one item, in memory only.
///
/// One request fetches a key for all parts that wait for it; a failed request is not cached.
final class KeyCache: Sendable {
    private static let keyLength = 16
    private let keys = Lock<[WebAddress: Task<[UInt8], any Error>]>([:])

    /// Returns the key of a part; nil if the part is not encrypted.
    func key(for part: Part, endpoint: HTTPClients.Endpoint) async throws -> [UInt8]? {
        guard let address = part.key?.address else { return nil }
        let task = keys.withLock { keys in
            if let task = keys[address] { return task }
            let task = Task { try await Self.fetch(address, endpoint: endpoint) }
            keys[address] = task
            return task
        }
        do {
            // This cancels the request for all parts, which are always cancelled together.
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            keys.withLock { keys in
                if keys[address] == task { keys[address] = nil }
            }
            throw error
        }
    }

    private static func fetch(
        _ address: WebAddress,
        endpoint: HTTPClients.Endpoint
    ) async throws -> [UInt8] {
        let (transfer, body) = try await endpoint.client.fetch(
            endpoint.request(address),
            limit: keyLength * 64
        )
        guard transfer.head.status == 200 else {
            throw DownloadError(status: transfer.head.status, head: transfer.head)
        }
        guard body.count == keyLength else {
            throw DownloadError(
                .wrongKey,
                "The key at \(address.redacted) has \(body.count) bytes instead of \(keyLength). "
                    + "The server may require a login."
            )
        }
        return body
    }
}
