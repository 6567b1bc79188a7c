// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import TidingsHTTP

extension DownloadEnvironment {
    /// Returns the retries of an item's requests.
    ///
    /// The item's progress states the reason of a pause.
    func requestRetries(of id: ItemID) -> RequestRetries {
        RequestRetries(connectivity: connectivity, clock: clock, policy: retries) {
            [progress] reason in
            progress.update(id) { $0.waiting = reason }
        }
    }

    /// Returns the requests for the descriptions of an item.
    func requests(
        at endpoint: HTTPClients.Endpoint,
        of id: ItemID,
        choosing choice: MediaChoice = MediaChoice()
    ) -> SourceRequests {
        SourceRequests(
            endpoint: endpoint,
            choice: choice,
            folder: directory.resolver(of: id),
            retries: requestRetries(of: id)
        )
    }

    /// Runs `work` for an item until it succeeds, as `RequestRetries` does.
    func retrying<Value: Sendable>(
        _ id: ItemID,
        at address: WebAddress,
        storedBytes: () -> Int64 = { 0 },
        work: () async throws -> Value
    ) async throws(DownloadError) -> Value {
        try await requestRetries(of: id).run(at: address, storedBytes: storedBytes, work: work)
    }
}
