// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@Suite(.timeLimit(.minutes(5)))
struct MisuseTests {
    @Test func aConcurrencyOfZeroIsRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = MessageCenter().observe(Ping.self, concurrency: 0) { _ in await Task.yield() }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("An observation runs at least 1 call at a time: concurrency: 0"))
    }
}
