// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@Suite(.timeLimit(.minutes(15)))
struct SeededGeneratorTests {
    private func numbers(_ number: UInt64, ofRun seed: UInt64) -> [UInt64] {
        var sut = SeededGenerator(number, ofRun: seed)
        return (0..<10).map { _ in sut.next() }
    }

    @Test func aTestDrawsTheSameNumbersInEachRunWithOneSeed() {
        #expect(numbers(7, ofRun: 0) == numbers(7, ofRun: 0))
        #expect(numbers(7, ofRun: 5) == numbers(7, ofRun: 5))
    }

    @Test func otherTestsAndOtherRunsDrawOtherNumbers() {
        let all = [numbers(7, ofRun: 0), numbers(8, ofRun: 0), numbers(7, ofRun: 1)]
        #expect(Set(all.flatMap(\.self)).count == 30)
    }

    @Test(arguments: [("7", 7), ("0x1f", 31), ("0xffffffffffffffff", .max)] as [(String, UInt64)])
    func theEnvironmentSetsTheSeed(text: String, seed: UInt64) {
        #expect(SeededGenerator.seed(["TIDINGS_SEED": text]) == seed)
    }

    @Test func theSeedIsFixedByDefault() {
        #expect(SeededGenerator.seed([:]) == 0)
        #expect(ModelSettings([:]).firstSeed == ModelSettings([:]).firstSeed)
    }

    @Test func theDescriptionRepeatsTheRun() {
        let sut = SeededGenerator(7, ofRun: 31)
        #expect("\(sut)" == "TIDINGS_SEED=0x1f")
    }

    @Test func aSeedThatIsNoNumberEndsTheTests() async {
        await #expect(processExitsWith: .failure) {
            _ = SeededGenerator.seed(["TIDINGS_SEED": "seven"])
        }
    }

    @Test func randomProgramsFollowTheSeedUnlessOneIsWanted() {
        let first = ModelSettings([:])
        let other = ModelSettings(["TIDINGS_SEED": "1"])
        let wanted = ModelSettings(["TIDINGS_SEED": "1", "TIDINGS_MODEL_SEED": "0x2a"])
        #expect(first.firstSeed != other.firstSeed && wanted.firstSeed == 42)
        #expect(Array(other.programs(3)).count == 3 && Array(wanted.programs(3)) == [42])
        #expect(first.repetitions == 1 && wanted.repetitions == 1_000)
    }
}
