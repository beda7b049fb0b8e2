//! The server of the page: on the loopback interface, for the page alone.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tiny_http::{Header, Method, Response, StatusCode};

use crate::api::{Answer, Request};
use crate::library::Own;
use crate::page::ASSETS;
use crate::worker::{MEMORY, Stopped, Worker};

/// The port, unless another is asked for: links keep working when the page is served again.
pub const PORT: u16 = 7348;

/// The largest request, in bytes.
const BODY: usize = 2 << 20;

/// How many requests are worked on at once, and how many workers there are for them.
const AT_ONCE: usize = 16;
const WORKERS: usize = 3;

/// How long a request may take.
const TIME: Duration = Duration::from_secs(10);

/// How long a search may take, and how often its client is looked for.
const SEARCH: Duration = Duration::from_secs(120);
const HEARTBEAT: Duration = Duration::from_millis(250);

/// How an answer begins that another one follows.
const PROGRESS: &str = "{\"answer\":\"progress\"";

/// What each answer says to the browser. The page may load and ask nothing but this server.
const HEADERS: [(&str, &str); 6] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types this-browser",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-cache"),
];

/// Makes the command that runs [`worker::run`](crate::worker::run).
pub type Start = dyn Fn() -> Command + Send + Sync;

/// A server that listens.
pub struct Server {
    http: tiny_http::Server,
    port: u16,
    state: Arc<State>,
}

struct State {
    start: Box<Start>,
    own: Own,
    /// Requests under way.
    requests: AtomicUsize,
    pool: Mutex<Pool>,
    /// A worker has ended its work.
    freed: Condvar,
}

#[derive(Default)]
struct Pool {
    /// Workers without a request.
    idle: Vec<Worker>,
    /// How many have one.
    working: usize,
}

impl Server {
    /// Listens on a port of the loopback interface; on any free one if it is `None` and [`PORT`] is taken. The page offers the
    /// tables that ship and those of `own`.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn listen(port: Option<u16>, own: Own, start: Box<Start>) -> io::Result<Self> {
        let open = |port| tiny_http::Server::http((Ipv4Addr::LOCALHOST, port));
        let opened = match port {
            Some(port) => open(port),
            None => open(PORT).or_else(|_| open(0)),
        };
        let http = opened.map_err(io::Error::other)?;
        let port = http
            .server_addr()
            .to_ip()
            .map_or(0, |at: SocketAddr| at.port());
        let state = State {
            start,
            own,
            requests: AtomicUsize::new(0),
            pool: Mutex::default(),
            freed: Condvar::new(),
        };
        Ok(Self {
            http,
            port,
            state: Arc::new(state),
        })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Serves until the process ends.
    pub fn run(&self) {
        for request in self.http.incoming_requests() {
            let (state, port) = (Arc::clone(&self.state), self.port);
            // A client that sends slowly keeps nothing waiting.
            thread::spawn(move || {
                match state.requests.fetch_add(1, Ordering::SeqCst) < AT_ONCE {
                    true => serve(&state, port, request),
                    false => refuse(request, 503, "Too many requests at once."),
                }
                state.requests.fetch_sub(1, Ordering::SeqCst);
            });
        }
    }
}

fn header(request: &tiny_http::Request, name: &'static str) -> Option<String> {
    let mut headers = request.headers().iter();
    let found = headers.find(|header| header.field.equiv(name));
    found.map(|header| header.value.as_str().to_owned())
}

/// Whether a request comes from the page: pages of other origins, or with a name that leads here, are refused.
fn is_ours(request: &tiny_http::Request, port: u16) -> bool {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = header(request, "Host").is_some_and(|host| hosts.contains(&host));
    let origins = hosts.map(|host| format!("http://{host}"));
    let origin = header(request, "Origin").is_none_or(|origin| origins.contains(&origin));
    let site = header(request, "Sec-Fetch-Site");
    let is_navigation = header(request, "Sec-Fetch-Mode").is_some_and(|mode| mode == "navigate");
    let same = |site: String| ["same-origin", "none"].contains(&site.as_str());
    // A link on another page may lead to this one.
    host && origin && (is_navigation || site.is_none_or(same))
}

fn respond(request: tiny_http::Request, status: u16, media_type: &str, body: &[u8]) {
    let mut response = Response::from_data(body).with_status_code(StatusCode(status));
    for (name, value) in HEADERS.into_iter().chain([("Content-Type", media_type)]) {
        // They are constants of this module.
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // The client is gone.
    let _ = request.respond(response);
}

fn refuse(request: tiny_http::Request, status: u16, why: &str) {
    respond(
        request,
        status,
        "text/plain; charset=utf-8",
        format!("{why}\n").as_bytes(),
    );
}

fn serve(state: &State, port: u16, request: tiny_http::Request) {
    if !is_ours(&request, port) {
        return refuse(request, 403, "This server answers only its own page.");
    }
    let path = request.url().split(['?', '#']).next().unwrap_or_default();
    let path = path.strip_prefix('/').unwrap_or(path).to_owned();
    let file = if path.is_empty() {
        "index.html"
    } else {
        &*path
    };
    let asset = ASSETS.iter().find(|asset| asset.file == file);
    match (request.method(), asset) {
        (Method::Get | Method::Head, Some(asset)) => {
            respond(request, 200, asset.media_type, asset.bytes);
        }
        (Method::Post, None) if path == "api" => api(state, request),
        (_, None) if path != "api" => refuse(request, 404, "There is nothing here."),
        _ => refuse(
            request,
            405,
            "The page is read with GET, and asks with POST.",
        ),
    }
}

fn api(state: &State, mut request: tiny_http::Request) {
    // No form of another page can send this without being asked for leave, which nothing here gives.
    if header(&request, "Content-Type").is_none_or(|it| it != "application/json") {
        return refuse(request, 415, "Requests are application/json.");
    }
    let too_large = || format!("A request has at most {} MiB.", BODY >> 20);
    if request.body_length().is_some_and(|length| length > BODY) {
        return refuse(request, 413, &too_large());
    }
    let mut body = String::new();
    let read = request
        .as_reader()
        .take(BODY as u64 + 1)
        .read_to_string(&mut body);
    if body.len() > BODY {
        return refuse(request, 413, &too_large());
    }
    let parsed = serde_json::from_str::<Request>(&body);
    let asked = match (read, parsed) {
        (Ok(_), Ok(asked)) => asked,
        _ => return refuse(request, 400, "This is no request of the page."),
    };
    let Ok(line) = serde_json::to_string(&asked) else {
        return refuse(request, 400, "This is no request of the page.");
    };
    if let Request::Effect { .. } = asked {
        return search(state, request, &line);
    }
    let answered = with_worker(state, |worker| {
        worker.ask(&line).and_then(|()| worker.answer(TIME))
    });
    let answer = match answered {
        Ok(Ok(answer)) => answer,
        Ok(Err(stopped)) => refused(why(stopped, TIME)),
        Err(why) => refused(why),
    };
    respond(request, 200, "application/json", answer.as_bytes());
}

/// An answer that says why there is none.
fn refused(why: String) -> String {
    serde_json::to_string(&Answer::Refused { why }).unwrap_or_default()
}

fn why(stopped: Stopped, time: Duration) -> String {
    match stopped {
        Stopped::TooLong => {
            format!(
                "This took more than {} seconds, and was stopped.",
                time.as_secs()
            )
        }
        Stopped::TooLarge => format!(
            "This needed more than {MEMORY} MiB, and was stopped. Does the table copy what it has collected again and again?"
        ),
    }
}

/// Does something with a worker. One that fails is stopped as it is dropped.
fn with_worker<T>(
    state: &State,
    work: impl FnOnce(&mut Worker) -> Result<T, Stopped>,
) -> Result<Result<T, Stopped>, String> {
    let pool = state.pool.lock().unwrap_or_else(PoisonError::into_inner);
    let is_full = |pool: &mut Pool| pool.working >= WORKERS;
    let waited = state.freed.wait_timeout_while(pool, TIME, is_full);
    let (mut pool, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
    if timeout.timed_out() {
        return Err("Other requests are still being answered. Try again in a moment.".to_owned());
    }
    pool.working += 1;
    let waiting = pool.idle.pop();
    drop(pool);
    let start = || Worker::start((state.start)(), &state.own);
    let worker = waiting.map_or_else(start, Ok);
    let worked = worker.map(|mut worker| (work(&mut worker), worker));
    let mut pool = state.pool.lock().unwrap_or_else(PoisonError::into_inner);
    pool.working -= 1;
    state.freed.notify_one();
    let (worked, worker) =
        worked.map_err(|error| format!("The process that answers cannot be started: {error}."))?;
    if worked.is_ok() {
        pool.idle.push(worker);
    }
    Ok(worked)
}

/// Answers line by line: how far a search is, then what it found. It ends with the client's connection.
fn search(state: &State, request: tiny_http::Request, line: &str) {
    let mut client = request.into_writer();
    let headers = HEADERS
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .concat();
    let head = format!(
        "HTTP/1.1 200 OK\r\n{headers}Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    let mut is_begun = false;
    let mut send = |text: &str| {
        if !is_begun {
            client.write_all(head.as_bytes())?;
            is_begun = true;
        }
        let chunk = format!("{:x}\r\n{text}\r\n", text.len());
        client.write_all(chunk.as_bytes())?;
        client.flush()
    };
    let started = Instant::now();
    let answered = with_worker(state, |worker| {
        worker.ask(line)?;
        loop {
            // An empty line finds out whether the client is still there.
            let said = match worker.answer(HEARTBEAT) {
                Err(Stopped::TooLong) if started.elapsed() < SEARCH => String::new(),
                said => said?,
            };
            if !said.is_empty() && !said.starts_with(PROGRESS) {
                return Ok(said);
            }
            send(&format!("{}\n", said.trim_end())).map_err(|_| Stopped::TooLong)?;
        }
    });
    let answer = match answered {
        Ok(Ok(answer)) => answer,
        Ok(Err(stopped)) => refused(why(stopped, SEARCH)),
        Err(why) => refused(why),
    };
    // The client may be gone.
    let _ = send(&format!("{}\n", answer.trim_end())).and_then(|()| send(""));
}
