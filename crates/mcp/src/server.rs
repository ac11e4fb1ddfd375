//! The server, which answers requests of old and new versions of the protocol, and runs calls.

use crate::arguments::Words;
use crate::child::{self, Stop, Stream};
use crate::place::Place;
use crate::project::Project;
use crate::tools::{self, OFFERS, Offer};
use crate::{error, results, wire};
use derny_model::Problem;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, CreateTaskResult,
    GetTaskParams, GetTaskResult, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig, UpdateTaskParams,
};
use rmcp::service::{Peer, RequestContext, ServerInitializeError};
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// Maximum number of calls that measure or wait to measure.
const QUEUE: usize = 32;
/// Interval between progress messages.
const TICK: Duration = Duration::from_secs(1);
/// Time for which the result of a task is kept after its time limit has passed.
const KEPT: Duration = Duration::from_secs(900);
/// Time that calls have to end after the client has closed the connection. A call that is killed after this
/// time has already stored what it measured.
const FAREWELL: Duration = Duration::from_secs(15);

const INSTRUCTIONS: &str = "Derny measures benchmarks and says whether a change is real. Use `diff` after an \
    edit, `judge` with a session in a loop of candidates, `run` to compare other sides, `show` for more of a \
    stored run. `unclear` is not `same`: give more `budget`, or do not claim a change. Calls that measure \
    wait for each other.";

/// The server.
#[derive(Clone)]
struct Server {
    place: Arc<Place>,
    project: Arc<Project>,
    tasks: TaskManager,
    /// Permit to measure, which one call at a time holds.
    turn: Arc<Semaphore>,
    /// Permits for calls that measure or wait to measure.
    queue: Arc<Semaphore>,
    /// True once the client has closed the connection.
    closing: watch::Receiver<bool>,
    /// State of the running calls.
    calls: watch::Sender<Calls>,
}

/// State of the running calls.
#[derive(Debug, Clone, Copy, Default)]
struct Calls {
    running: usize,
    /// True if a call was stopped because the client has closed the connection.
    is_abandoned: bool,
}

/// Counts a call as running until this value is dropped.
struct Running(watch::Sender<Calls>);

impl Running {
    fn begin(calls: &watch::Sender<Calls>) -> Running {
        calls.send_modify(|calls| calls.running += 1);
        Running(calls.clone())
    }

    /// Ends a call without an answer, because some clients fail if an answer arrives after they have closed
    /// the connection.
    async fn abandon(self) -> ! {
        self.0.send_modify(|calls| calls.is_abandoned = true);
        drop(self);
        std::future::pending().await
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.send_modify(|calls| calls.running -= 1);
    }
}

/// Destination of the progress messages of a call.
enum Progress {
    Nowhere,
    Client(Peer<RoleServer>, ProgressToken),
    Task(TaskContext),
}

impl Progress {
    async fn tell(&self, seconds: u64, limit: Duration, message: Option<String>) {
        match self {
            Progress::Nowhere => {}
            Progress::Client(peer, token) => {
                #[allow(clippy::cast_precision_loss)]
                let mut said = ProgressNotificationParam::new(token.clone(), seconds as f64);
                said.total = Some(limit.as_secs_f64());
                said.message = message;
                let _ = peer.notify_progress(said).await;
            }
            Progress::Task(task) => message.into_iter().for_each(|message| task.set_status_message(message)),
        }
    }

    /// Sends the last line of the stream as a progress message every second. Never returns.
    async fn follow(&self, limit: Duration, said: &Stream) {
        let mut seconds = 0;
        loop {
            tokio::time::sleep(TICK).await;
            seconds += TICK.as_secs();
            self.tell(seconds, limit, said.last_line()).await;
        }
    }
}

impl Server {
    /// Runs a call. A call that measures first waits until earlier ones that measure have ended. `cancelled`
    /// becomes ready when the client cancels the call.
    async fn call(
        &self,
        offer: &Offer,
        (words, limit): (Words, Duration),
        cancelled: impl Future<Output = ()>,
        progress: Progress,
    ) -> CallToolResult {
        let running = Running::begin(&self.calls);
        let mut closing = self.closing.clone();
        let stop = async move {
            tokio::select! {
                () = cancelled => Stop::Cancelled,
                _ = closing.wait_for(|closing| *closing) => Stop::Closing,
            }
        };
        tokio::pin!(stop);
        let _place = match self.queue.try_acquire() {
            Ok(place) if offer.measures => Some(place),
            Err(_) if offer.measures => return results::refused("too many calls wait to measure"),
            _ => None,
        };
        let said = Stream::default();
        let run = async {
            let _turn = match offer.measures {
                true => tokio::select! {
                    turn = self.turn.acquire() => turn.ok(),
                    _ = &mut stop => return results::refused("cancelled before it was measured"),
                },
                false => None,
            };
            let folder = self.project.folder();
            match child::run(&self.place, folder, &words.words, (limit, stop), &said).await {
                Ok(ended) => results::of(&words, limit, &ended),
                Err(error) => results::refused(&format!("derny cannot be started: {error}")),
            }
        };
        let result = tokio::select! {
            result = run => result,
            () = progress.follow(limit, &said) => results::refused("cancelled"),
        };
        if *self.closing.borrow() {
            running.abandon().await;
        }
        result
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tasks().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("derny", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(OFFERS.iter().map(Offer::tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(offer) = tools::find(&request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None));
        };
        let words = match offer.words(request.arguments.unwrap_or_default(), &self.project) {
            Ok(words) => words,
            Err(why) => return Ok(results::refused(&why).into()),
        };
        let has_tasks = context.client_capabilities().is_some_and(|client| client.supports_tasks());
        if offer.measures && has_tasks {
            let server = self.clone();
            let kept = u64::try_from((words.1 + KEPT).as_millis()).unwrap_or(u64::MAX);
            let options = TaskOptions::new().with_ttl_ms(kept);
            let task = self.tasks.spawn(options, move |task| {
                Box::pin(async move {
                    let cancelled = task.clone();
                    let cancelled = async move { cancelled.cancelled().await };
                    let result = server.call(offer, words, cancelled, Progress::Task(task.clone())).await;
                    if task.is_cancel_requested() { Err(TaskExit::Cancelled) } else { Ok(result) }
                })
            });
            return Ok(CallToolResponse::Task(CreateTaskResult::new(task)));
        }
        let progress = match context.meta.get_progress_token() {
            Some(token) => Progress::Client(context.peer.clone(), token),
            None => Progress::Nowhere,
        };
        Ok(self.call(offer, words, context.ct.cancelled(), progress).await.into())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}

/// Serves until the client closes the input, or a signal arrives.
pub fn serve(
    place: Place,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), Problem> {
    let failed = |cause: std::io::Error| error::stopped(&cause.to_string());
    let project = Project::around(&place.folder).map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let (closing, closed) = watch::channel(false);
    let (calls, mut ended) = watch::channel(Calls::default());
    let mut abandoned = calls.subscribe();
    let (wire, writer) = wire::open(input, output, closing.clone());
    let server = Server {
        place: Arc::new(place),
        project: Arc::new(project),
        tasks: TaskManager::new(),
        turn: Arc::new(Semaphore::new(1)),
        queue: Arc::new(Semaphore::new(QUEUE)),
        closing: closed,
        calls,
    };
    let served = runtime.block_on(async {
        let served = tokio::select! {
            served = until_closed(server, wire) => served,
            () = signalled() => Ok(()),
            _ = abandoned.wait_for(|calls| calls.is_abandoned && calls.running == 0) => Ok(()),
        };
        closing.send_replace(true);
        let _ = tokio::time::timeout(FAREWELL, ended.wait_for(|calls| calls.running == 0)).await;
        served
    });
    runtime.shutdown_background();
    writer.finish();
    served
}

async fn until_closed(server: Server, wire: wire::Wire) -> Result<(), Problem> {
    match server.serve(wire).await {
        Ok(service) => {
            service.waiting().await.map(|_| ()).map_err(|error| error::stopped(&error.to_string()))
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error::stopped(&error.to_string())),
    }
}

/// Returns when a signal asks this program to end.
async fn signalled() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut interrupt), Ok(mut end)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = end.recv() => {}
        }
    }
    #[cfg(not(unix))]
    std::future::pending().await
}
