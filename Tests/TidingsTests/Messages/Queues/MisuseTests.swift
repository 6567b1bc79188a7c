// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

@Suite(.timeLimit(.minutes(15)))
struct MisuseTests {
    @Test func aConcurrencyOfZeroIsRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = MessageCenter().messages(of: Ping.self).concurrency(0).observe { _ in
                await Task.yield()
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("An observation runs at least 1 call at a time: concurrency(0)"))
    }

    @Test func anOptionThatIsStatedTwiceIsRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = MessageCenter().messages(of: Ping.self).priority(.high).priority(.low)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("A selection takes priority once. Remove one of the two."))
    }

    @Test func anInterceptorThatReturnsAnotherTypeIsRefusedWithAClearText() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let center = MessageCenter()
            let token = center.allMessages.intercept { _ in .replace(Pong()) }
            center.post(Ping())
            token.cancel()
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("An interceptor replaced a Ping by a Pong; return its type."))
    }
}
