// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

private struct Numbered: NamedMessage {
    static let name = "Numbered"
    let number: Int

    var object: (any Sendable)? { number }

    init(_ number: Int) { self.number = number }

    init?(object: (any Sendable)?) {
        guard let number = object as? Int else { return nil }
        self.number = number
    }
}

@Suite(.timeLimit(.minutes(15)))
struct NamesOnThreadsTests {
    private let center = MessageCenter()

    @Test func originB4_observingPostingAndRemovingOnEightThreads() async {
        await withTaskGroup { [center] group in
            for thread in 0..<8 {
                group.addTask {
                    for round in 0..<100 {
                        let owner = Owner()
                        center.messages(named: Numbered.name).observe(owner: owner) { owner, _ in
                            owner.log(0)
                        }
                        center.observe(Numbered.self, owner: owner) { owner, _ in owner.log(1) }
                        let token = center.allMessages.observe { _ in }
                        #expect(center.post(Numbered(round)) >= 3)
                        #expect(center.post(named: Numbered.name, object: round) >= 3)
                        #expect(owner.log.all.count >= 4)
                        token.cancel()
                        if thread.isMultiple(of: 2) {
                            #expect((try? center.removeObservations(of: owner)) == 2)
                        }
                    }
                }
            }
        }
        #expect(center.post(Numbered(0)) == 0)
        #expect(center.count(named: Numbered.name) == 0)
    }

    /// Observers from before a post receive the message, whatever channels are made simultaneously.
    @Test func m4_aNameAndItsTypeMeetOnTwoThreads() async {
        for _ in 0..<200 {
            let center = MessageCenter()
            let log = Log<String>()
            await withTaskGroup { group in
                group.addTask {
                    let token = center.messages(named: Numbered.name).observe { _ in log("name") }
                    #expect(center.post(Numbered(1)) >= 1)
                    #expect(log.all.contains("name"))
                    withExtendedLifetime(token) {}
                }
                group.addTask {
                    let token = center.observe(Numbered.self) { _ in log("type") }
                    #expect(center.post(named: Numbered.name, object: 1) >= 1)
                    #expect(log.all.contains("type"))
                    withExtendedLifetime(token) {}
                }
                group.addTask {
                    let token = center.allMessages.observe { _ in log("all") }
                    #expect(center.post(Numbered(1)) >= 1)
                    #expect(log.all.contains("all"))
                    withExtendedLifetime(token) {}
                }
            }
        }
    }

    @Test func m4_manyNamesComeAndGoOnManyThreads() async {
        await withTaskGroup { [center] group in
            for thread in 0..<8 {
                group.addTask {
                    for round in 0..<300 {
                        let name = "\((round * 7 + thread) % 150)"
                        let log = Log<String>()
                        let token = center.messages(named: name).observe { message in
                            log(message.name)
                        }
                        #expect(center.post(named: name) >= 1)
                        #expect(log.all.contains(name))
                        token.cancel()
                    }
                }
            }
        }
        for number in 0..<150 { #expect(center.post(named: "\(number)") == 0) }
    }
}
