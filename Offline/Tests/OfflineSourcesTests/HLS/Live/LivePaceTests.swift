// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct LivePaceTests {
    private var pace = LivePace()

    /// Records a playlist that arrives half a second after the request.
    private mutating func succeed(
        _ target: Int,
        isChanged: Bool,
        at begin: Duration
    ) -> LivePace.Step {
        pace.succeed(
            target: target,
            isChanged: isChanged,
            since: begin,
            at: begin + .milliseconds(500)
        )
    }

    @Test mutating func aChangedPlaylistIsFetchedAgainAfterTheTargetDuration() {
        #expect(succeed(6, isChanged: true, at: .zero) == .wait(.milliseconds(5_500)))
    }

    @Test mutating func anUnchangedPlaylistIsFetchedAgainAfterHalfOfIt() {
        #expect(succeed(6, isChanged: false, at: .zero) == .wait(.milliseconds(2_500)))
    }

    @Test(arguments: [0, -5, Int.min, Int.max])
    mutating func aHostileTargetDurationIsLimited(target: Int) {
        let step = succeed(target, isChanged: false, at: .zero)
        let expected = target > 0 ? Duration.milliseconds(29_500) : LivePace.leastWait
        #expect(step == .wait(expected))
    }

    @Test mutating func aSlowServerIsNotAskedWithoutAPause() {
        let step = pace.succeed(target: 2, isChanged: true, since: .zero, at: .seconds(30))
        #expect(step == .wait(LivePace.leastWait))
    }

    /// Returns the time at which the recording ends if one request a second fails.
    private mutating func failUntilEnd(isFinal: Bool) -> (time: Duration, end: LiveEnd)? {
        for second in 0..<10_000 {
            let now = Duration.seconds(second)
            if case .end(let end) = pace.fail(isFinal: isFinal, since: now, at: now) {
                return (now, end)
            }
        }
        return nil
    }

    @Test mutating func o25_aPlaylistThatIsGoneEndsTheRecording() {
        let result = failUntilEnd(isFinal: true)
        #expect(result?.end == .gone && result?.time == LivePace.goneLimit)
    }

    @Test mutating func o25_anUnreachableServerEndsTheRecordingMuchLater() {
        let result = failUntilEnd(isFinal: false)
        #expect(result?.end == .silent && result?.time == LivePace.silenceLimit)
    }

    @Test mutating func aPlaylistThatNeverChangesEndsTheRecording() {
        var now = Duration.zero
        while now < LivePace.silenceLimit * 2 {
            let step = pace.succeed(target: 2, isChanged: false, since: now, at: now)
            guard case .wait(let delay) = step else { break }
            now += delay
        }
        #expect(now == LivePace.silenceLimit)
    }

    @Test mutating func newSegmentsEndTheWait() {
        _ = pace.fail(isFinal: true, since: .zero, at: .zero)
        _ = pace.fail(isFinal: true, since: .seconds(50), at: .seconds(50))
        _ = succeed(2, isChanged: true, at: .seconds(100))
        #expect(
            pace.fail(isFinal: true, since: .seconds(150), at: .seconds(150)) == .wait(.seconds(1))
        )
    }

    @Test(arguments: [Duration.seconds(1_000_000), .seconds(-1_000_000)])
    mutating func o25_aJumpOfTheClockEndsNoRecording(jump: Duration) {
        _ = pace.fail(isFinal: true, since: .zero, at: .zero)
        let step = pace.fail(isFinal: true, since: .zero, at: jump)
        guard case .wait(let delay) = step else {
            Issue.record("the recording ended")
            return
        }
        #expect(delay <= LivePace.targets.upperBound)
    }

    @Test mutating func theServerMayAskForALongerWait() {
        let step = pace.fail(isFinal: false, retryAfter: .seconds(20), since: .zero, at: .zero)
        #expect(step == .wait(.seconds(20)))
        let long = Duration.seconds(9_999)
        let longest = pace.fail(isFinal: false, retryAfter: long, since: .zero, at: .zero)
        #expect(longest == .wait(LivePace.targets.upperBound))
    }
}
