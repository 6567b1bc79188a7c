// SPDX-License-Identifier: Apache-2.0

extension Library {
    /// Returns what a request would fetch; nothing is stored.
    ///
    /// - Returns: The inspection, whose `refusal` is the error of a download that would fail.
    /// - Throws: `LibraryError` with `.unavailable` before `start`, and `CancellationError`.
    package func inspect(_ request: DownloadRequest) async throws -> MediaInspection {
        guard let clients else {
            throw LibraryError(.unavailable, "The library is starting. Try again.")
        }
        var request = request
        if configuration.allowsPrivateAddresses { request.allowsPrivateAddresses = true }
        var policy = configuration.retries
        policy.maximumTries = min(policy.maximumTries, MediaInspector.maximumTries)
        policy.longestRetryAfter = .zero
        let inspector = MediaInspector(
            clients: clients,
            sources: configuration.sources,
            retries: RequestRetries(
                connectivity: connectivity,
                clock: configuration.clock,
                policy: policy,
                showWaiting: { _ in }
            )
        )
        return try await inspector.inspect(request)
    }
}
