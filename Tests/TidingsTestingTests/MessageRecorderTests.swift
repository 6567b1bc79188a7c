// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(1)))
struct MessageRecorderTests {
    private struct Step: Message, Equatable { let number: Int }

    private let center = MessageCenter()

    @Test func returnsTheMessagesOneAfterTheOther() async throws {
        let recorder = MessageRecorder(Step.self, on: center)
        center.post(Step(number: 1))
        center.post(Step(number: 2))
        #expect(try await recorder.next() == Step(number: 1))
        #expect(try await recorder.next() == Step(number: 2))
        #expect(recorder.messages.map(\.number) == [1, 2])
    }

    @Test func waitsForMessagesThatComeLater() async throws {
        let recorder = MessageRecorder(Step.self, on: center)
        async let two = recorder.first(2)
        center.post(Step(number: 1))
        center.post(Step(number: 2))
        #expect(try await two.map(\.number) == [1, 2])
    }

    @Test func aCancelledWaitThrowsAndOthersGoOn() async throws {
        let recorder = MessageRecorder(Step.self, on: center)
        let waiting = Task { try await recorder.next() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        center.post(Step(number: 1))
        #expect(try await recorder.first(1).count == 1)
    }

    @Test func stopsRecordingWhenItIsDropped() {
        var recorder: MessageRecorder? = MessageRecorder(Step.self, on: center)
        #expect(recorder?.messages.isEmpty == true)
        #expect(center.count(of: Step.self) == 1)
        recorder = nil
        #expect(center.count(of: Step.self) == 0)
    }
}
