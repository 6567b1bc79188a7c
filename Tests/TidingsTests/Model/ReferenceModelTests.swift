// SPDX-License-Identifier: Apache-2.0
import Testing

/// Examples of the model's results, because the model is the measure of other tests.
@Suite(.timeLimit(.minutes(15)))
struct ReferenceModelTests {
    private let place = ModelPlace()

    private func observe(
        _ id: Int,
        _ form: ModelObservation.Form = .closure,
        priority: Int = 0,
        script: [ModelOperation] = []
    ) -> ModelOperation {
        var observation = ModelObservation(id: id, form: form, priority: priority)
        observation.scripts = [script]
        return .observe(observation)
    }

    /// Returns the calls and post results as `observation:message` and `message=recipients`.
    private func outcome(_ operations: [ModelOperation], owners: Int = 0) -> [String] {
        var program = ModelProgram(observations: 9, owners: Array(repeating: [], count: owners))
        program.threads = [operations]
        program.tokensOutliveCenters = true
        var model = ReferenceModel(program)
        model.run()
        return model.events.compactMap { event in
            switch event {
            case .calling(let id, let message): "\(id):\(message)"
            case .posted(let message, let recipients): "\(message)=\(recipients)"
            default: nil
            }
        }
    }

    @Test func higherPrioritiesComeFirstThenOlderObservations() {
        let operations = [observe(0), observe(1, priority: 5), observe(2), .post(7, at: place)]
        #expect(outcome(operations) == ["1:7", "0:7", "2:7", "7=3"])
    }

    @Test func aNestedPostWaitsForTheLastHandler() {
        let operations = [
            observe(0, script: [.post(8, at: place)]), observe(1), .post(7, at: place),
        ]
        #expect(outcome(operations) == ["0:7", "8=2", "1:7", "0:8", "1:8", "7=2"])
    }

    @Test func whoIsCancelledOnTheWayIsAddressedButNotCalled() {
        let operations = [observe(0, script: [.cancel(1)]), observe(1), .post(7, at: place)]
        #expect(outcome(operations) == ["0:7", "7=2"])
    }

    @Test func aQueuedPostAddressesThoseWhoObserveWhenItIsMade() {
        let script: [ModelOperation] = [.post(8, at: place), observe(1), .post(9, at: place)]
        #expect(
            outcome([observe(0, script: script), .post(7, at: place)])
                == ["0:7", "8=1", "9=2", "0:8", "0:9", "1:9", "7=1"]
        )
    }

    @Test func anOwnerLivesUntilItsCallReturns() {
        let operations = [
            observe(0, .owned(0), script: [.release(owner: 0), .post(8, at: place)]),
            observe(1, .owned(0)), .post(7, at: place),
        ]
        #expect(outcome(operations, owners: 1) == ["0:7", "8=2", "7=2"])
    }

    @Test func aPostToAnotherCenterIsDeliveredAtOnce() {
        let other = ModelPlace(center: 1)
        let there = ModelObservation(id: 1, place: other, scripts: [[.post(9, at: place)]])
        let operations = [
            observe(0, script: [.post(8, at: other)]), .observe(there), .post(7, at: place),
        ]
        #expect(outcome(operations) == ["0:7", "1:8", "9=1", "8=1", "0:9", "7=1"])
    }

    private func post(
        _ number: Int,
        about: Int? = nil,
        isNested: Bool = false,
        _ retention: ModelPost.Retention? = nil
    ) -> ModelOperation {
        .post(
            ModelPost(
                number: number,
                place: place,
                about: about,
                isNested: isNested,
                retention: retention
            )
        )
    }

    @Test func aNestedPostComesAtOnce() {
        let operations = [
            observe(0, script: [post(8, isNested: true)]), observe(1), post(7),
        ]
        #expect(outcome(operations) == ["0:7", "0:8", "1:8", "8=2", "1:7", "7=2"])
    }

    @Test func anInterceptorThatStopsAMessageIsItsRecipient() {
        let operations = [observe(0, .interceptor(.stop)), observe(1), post(6), post(7)]
        #expect(outcome(operations) == ["0:6", "6=1", "0:7", "1:7", "7=1"])
    }

    @Test func anInterceptorHoldsAMessageUp() {
        let operations = [
            observe(0, .interceptor(.drop), script: [post(9)]), observe(1), post(7), post(6),
        ]
        #expect(
            outcome(operations) == ["0:7", "0:9", "1:9", "9=1", "1:7", "7=1", "0:6", "6=0"]
        )
    }

    @Test func whatIsRetainedIsToldFirst() {
        var late = ModelObservation(id: 1, replay: 2)
        late.scripts = [[post(5, isNested: true)]]
        let operations = [
            post(1, .newest(2)), post(2, .newest(2)), post(3, .newest(2)),
            post(4, .untilHandled), .observe(late), post(6),
        ]
        #expect(
            outcome(operations)
                == ["1=0", "2=0", "3=0", "4=0", "1:2", "5=1", "1:3", "1:4", "1:5", "1:6", "6=1"]
        )
    }

    @Test func whatNobodyTookGoesOnWaitingInOrder() {
        var odd = ModelObservation(id: 0)
        odd.filter = ModelChoice(modulus: 2, rest: 1)
        let operations = [
            post(1, .untilHandled), post(2, .untilHandled), post(3, .untilHandled),
            .observe(odd), post(4, .untilHandled), observe(1),
        ]
        #expect(
            outcome(operations)
                == ["1=0", "2=0", "3=0", "0:1", "0:3", "4=1", "1:2", "1:4"]
        )
    }

    @Test func whatIsAboutADeadObjectIsForgotten() {
        let operations = [
            post(1, about: 0, .newest(1)), post(2, about: 1, .newest(1)), .release(owner: 0),
            .observe(ModelObservation(id: 0, replay: .max)),
        ]
        #expect(outcome(operations, owners: 2) == ["1=0", "2=0", "0:2"])
    }

    @Test func oneNameReachesWhoCanBeMadeOfIt() {
        func at(_ id: Int, _ kind: ModelPlace.Kind) -> ModelOperation {
            .observe(ModelObservation(id: id, place: ModelPlace(kind: kind)))
        }
        let (called, even) = (ModelMessages.unnamed, ModelMessages.unnamed + 1)
        let operations = [
            at(0, .everything), at(1, .type(even)), at(2, .name), at(3, .untyped),
            at(4, .type(called)), .post(7, at: ModelPlace(kind: .name)),
            .post(9, at: ModelPlace(kind: .type(called))),
        ]
        #expect(
            outcome(operations)
                == ["0:7", "2:7", "3:7", "4:7", "7=4", "0:9", "2:9", "4:9", "9=3"]
        )
    }

    @Test func aSequenceKeepsWhatItGets() {
        var program = ModelProgram(observations: 1)
        program.threads = [[.post(1, at: place), observe(0, .sequence), .post(2, at: place)]]
        var model = ReferenceModel(program)
        model.run()
        #expect(model.buffers == [0: ModelBuffer(numbers: [2])])
    }

    @Test func aDifferenceIsNamed() {
        var program = ModelProgram(observations: 1)
        program.threads = [[.post(1, at: place)]]
        var model = ReferenceModel(program)
        model.run()
        #expect(model.difference(from: [.posting(1), .posted(1, recipients: 0)]) == nil)
        #expect(model.difference(from: [.posting(1)])?.contains("missing") == true)
        #expect(
            model.difference(from: [.posting(1), .posted(1, recipients: 1)])?
                .contains("the model says posted(1, recipients: 0)") == true
        )
    }

    @Test func aSeedGivesTheSameProgramAgain() {
        let seeds = Array(UInt64(0)..<20)
        let programs = seeds.map { "\(ModelGenerator.sequential(seed: $0))" }
        #expect(programs == seeds.map { "\(ModelGenerator.sequential(seed: $0))" })
        #expect(Set(programs).count == seeds.count)
    }

    @Test func leavingOutOperationsReachesHandlersToo() {
        var program = ModelProgram(observations: 1)
        program.threads = [[observe(0, script: [.cancel(0), .drop(0)]), .post(1, at: place)]]
        #expect(program.allOperations.count == 4)
        #expect("\(program.removing(1..<2))".contains("cancel") == false)
        #expect(program.removing(0..<1).allOperations.count == 1)
    }
}
