// SPDX-License-Identifier: Apache-2.0
// Code for Combine, which exists on Apple systems only, and the replacement.
import Tidings
import TidingsResources

#if canImport(Combine)
import Combine
import Dispatch

@MainActor final class CombineScreen {
    private(set) var title = ""
    private var cancellables: Set<AnyCancellable> = []

    func follow(_ loggedIn: PassthroughSubject<String, Never>) {
        loggedIn
            .receive(on: DispatchQueue.main)
            .sink { [weak self] name in self?.title = name }
            .store(in: &cancellables)
    }

    func follow(
        _ loggedIn: PassthroughSubject<String, Never>,
        _ loggedOut: PassthroughSubject<Void, Never>
    ) {
        loggedIn.map { _ in () }
            .merge(with: loggedOut)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] in self?.reload() }
            .store(in: &cancellables)
    }

    func search(_ query: PassthroughSubject<String, Never>) {
        query
            .filter { $0.count > 2 }
            .removeDuplicates()
            .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
            .sink { [weak self] text in self?.find(text) }
            .store(in: &cancellables)
    }

    private func find(_ text: String) { title = text }
    private func reload() { title = "" }
}

@MainActor final class Catalog: ObservableObject {
    @Published private(set) var products: [String] = []
    @Published private(set) var isLoading = false
    @Published private(set) var error: (any Error)?
}
#endif

struct LoggedIn: Message {
    let name: String
}

struct LoggedOut: Message {}

struct QueryTyped: Message, Equatable {
    let text: String
}

@MainActor final class Screen {
    private(set) var title = ""

    func follow(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .main) { screen, message in
            screen.title = message.name
        }
    }

    func followBoth(_ center: MessageCenter) {
        center.observe(owner: self) { screen in
            screen.on(LoggedIn.self, on: .main) { screen, _ in screen.reload() }
            screen.on(LoggedOut.self, on: .main) { screen, _ in screen.reload() }
        }
    }

    func search(_ center: MessageCenter) {
        center.messages(of: QueryTyped.self)
            .where { $0.text.count > 2 }
            .removingDuplicates()
            .debounced(for: .milliseconds(300))
            .observe(owner: self, on: .main) { screen, query in screen.find(query.text) }
    }

    func follow(_ products: Resource<[String]>) {
        products.publisher.observe(owner: self, on: .main) { screen, state in
            screen.show(state)
        }
    }

    private var searching: Task<Void, Never>?

    private func find(_ text: String) {
        searching?.cancel()
        searching = Task { [weak self] in
            do {
                let results = try await fetchResults(text)
                if !Task.isCancelled { self?.show(results) }
            } catch {
                if !Task.isCancelled { self?.show(error) }
            }
        }
    }

    private func show(_ results: [String]) { title = "\(results.count) results" }
    private func show(_ error: any Error) { title = "Sorry: \(error)" }
    private func show(_ state: LoadState<[String]>) { title = "\(state.phase)" }
    private func reload() { title = "" }
}

func fetchResults(_ text: String) async throws -> [String] { ["\(text) 1"] }
func fetchProducts() async throws -> [String] { ["tea", "bread"] }

let products = Resource { try await fetchProducts() }
let center = MessageCenter()
let screen = Screen()
screen.follow(center)
screen.followBoth(center)
screen.search(center)
screen.follow(products)
center.post(LoggedIn(name: "Ada"))
center.post(QueryTyped(text: "tea"))
try await products.refresh()
print(screen.title)
