// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
package import TidingsHTTP

extension SourceRequests {
    /// The longest wait for a file that the item can do without.
    private static let longestWait = Duration.seconds(30)

    /// Returns a small file that belongs to the media, such as a list of chapters.
    ///
    /// The client sends one request, with the access rights of the item, and does not retry.
    ///
    /// - Parameters:
    ///   - address: The address of the file.
    ///   - limit: The largest size in bytes.
    /// - Returns: The content, or nil after any failure.
    /// - Throws: `.cancelled` if the download was stopped.
    package func attachment(
        at address: WebAddress,
        limit: Int
    ) async throws(DownloadError) -> [UInt8]? {
        let request = endpoint.request(address)
        let client = endpoint.client
        let result = await withTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                guard let (transfer, body) = try? await client.fetch(request, limit: limit),
                    transfer.head.status == 200, transfer.bodyEnd != .connectionClosed,
                    DownloadError(refusingEncodingOf: transfer.head) == nil
                else { return nil }
                return body
            }
            group.addTask {
                try? await ContinuousClock().sleep(for: Self.longestWait)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if Task.isCancelled { throw DownloadError(.cancelled, "The download was stopped.") }
        return result
    }
}
